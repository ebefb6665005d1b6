import type { OutputSink } from '../executor.ts'

/** What a login script writes before our line is kept for so long. */
const beforeMax = 65_536

/**
 * Takes the line `<mark> <process group>` out of the beginning of an output, and passes on everything else.
 * @returns the sink to write to, and the group once the line has come
 */
export function readFirstLine(mark: string, next: OutputSink): { sink: OutputSink; group: Promise<number> } {
  const { promise: group, resolve, reject } = Promise.withResolvers<number>()
  group.catch(() => undefined)
  let kept: Buffer | undefined = Buffer.alloc(0)
  const sink: OutputSink = (bytes) => {
    if (kept === undefined) return next(bytes)
    kept = Buffer.concat([kept, bytes])
    const at = kept.indexOf(`${mark} `)
    const end = at < 0 ? -1 : kept.indexOf(10, at)
    if (end < 0 && kept.length < beforeMax) return undefined
    const all = kept
    kept = undefined
    if (end < 0) {
      reject(new Error('the remote shell did not tell its process group'))
      return next(all)
    }
    resolve(Number(all.toString('latin1', at + mark.length + 1, end)))
    const rest = Buffer.concat([all.subarray(0, at), all.subarray(end + 1)])
    return rest.length === 0 ? undefined : next(rest)
  }
  return { sink, group }
}
