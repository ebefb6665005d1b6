import type { OutputSink } from '../executor.ts'

/** How much output of login scripts is searched for our line, bytes. */
const searchMax = 65_536

export interface Start {
  readonly sink: OutputSink
  /** True once the line was found. */
  readonly isSeen: () => boolean
  /** Passes on what was held back, when no more output follows. */
  readonly flush: () => Promise<void>
}

/** Removes the line that marks the start of a program from its output, and passes everything else on. */
export function awaitStart(mark: string, next: OutputSink): Start {
  const line = Buffer.from(`${mark}\n`)
  let kept: Buffer | undefined = Buffer.alloc(0)
  let isSeen = false
  const sink: OutputSink = (bytes) => {
    if (kept === undefined) return next(bytes)
    const all = Buffer.concat([kept, bytes])
    const at = all.indexOf(line)
    kept = at < 0 && all.length < searchMax ? all : undefined
    if (kept !== undefined) return undefined
    isSeen = at >= 0
    const rest = isSeen ? Buffer.concat([all.subarray(0, at), all.subarray(at + line.length)]) : all
    return rest.length === 0 ? undefined : next(rest)
  }
  const flush = async (): Promise<void> => {
    const held = kept
    kept = undefined
    if (held !== undefined && held.length > 0) await next(held)
  }
  return { sink, isSeen: () => isSeen, flush }
}
