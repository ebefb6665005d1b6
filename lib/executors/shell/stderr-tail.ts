import type { OutputMask, OutputSink } from '../executor.ts'

const tailBytes = 1_024
const tailLines = 5

/** Passes bytes on and keeps the last lines, for the error text of a failing step. */
export interface StderrTail {
  readonly sink: OutputSink
  /** The last lines, at most five; empty when nothing was written. */
  readonly text: () => string
}

/** @param mask applied before the output is cut, since half a secret would not be found any more */
export function keepTail(next: OutputSink, mask?: OutputMask): StderrTail {
  let kept = Buffer.alloc(0)
  const keep = (bytes: Uint8Array): void => {
    kept =
      bytes.length >= tailBytes
        ? Buffer.from(bytes.subarray(bytes.length - tailBytes))
        : Buffer.concat([kept, bytes]).subarray(-tailBytes)
  }
  return {
    sink: (bytes) => {
      keep(mask === undefined ? bytes : mask.push(bytes))
      return next(bytes)
    },
    text: () => {
      if (mask !== undefined) keep(mask.end())
      return kept.toString('utf8').trim().split('\n').slice(-tailLines).join('\n')
    },
  }
}

/** The last lines as an addition to an error text; empty when there are none. */
export function tailNote(tail: string): string {
  return tail === '' ? '' : `\nrecent stderr (tail):\n${tail}`
}
