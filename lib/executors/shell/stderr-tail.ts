import type { OutputSink } from '../executor.ts'

const tailBytes = 1_024
const tailLines = 5

/** Passes bytes on and keeps the last lines, for the error text of a failing step. */
export interface StderrTail {
  readonly sink: OutputSink
  /** The last lines, at most five; empty when nothing was written. */
  readonly text: () => string
}

export function keepTail(next: OutputSink): StderrTail {
  let kept = Buffer.alloc(0)
  return {
    sink: (bytes) => {
      kept =
        bytes.length >= tailBytes
          ? Buffer.from(bytes.subarray(bytes.length - tailBytes))
          : Buffer.concat([kept, bytes]).subarray(-tailBytes)
      return next(bytes)
    },
    text: () => kept.toString('utf8').trim().split('\n').slice(-tailLines).join('\n'),
  }
}

/** The last lines as an addition to an error text; empty when there are none. */
export function tailNote(tail: string): string {
  return tail === '' ? '' : `\nrecent stderr (tail):\n${tail}`
}
