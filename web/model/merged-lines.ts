import { lastOverwritten } from './log-window.ts'

/** A line of the log of a step, among those of others. */
export interface MergedLine {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly step: string
  readonly stream: 'stdout' | 'stderr'
  /** Counted from 1, in the log of the step. */
  readonly line: number
  readonly text: string
  /** Bytes that are missing at its end. */
  readonly missing?: number
}

export interface MergedAnswer {
  readonly lines: readonly MergedLine[]
  /** False: more can be read at once. */
  readonly isDone: boolean
  /** Where the next response begins; undefined if nothing was written. */
  readonly next: string | undefined
}

/** Maximum number of lines held; the first ones are dropped. */
export const mergedLinesKept = 20_000

/** @param text JSON lines, as the service answers them */
export function readMerged(text: string): MergedAnswer {
  const rows = text
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => JSON.parse(row) as MergedLine | { readonly done: boolean; readonly next?: string })
  const end = rows.at(-1)
  return {
    lines: rows
      .filter((row): row is MergedLine => 'step' in row)
      .map((row) => Object.assign(row, { text: lastOverwritten(row.text) })),
    isDone: end !== undefined && 'done' in end && end.done,
    next: end !== undefined && 'done' in end ? end.next : undefined,
  }
}

/** The held lines with the new ones appended. */
export const appended = (before: readonly MergedLine[], more: readonly MergedLine[]): readonly MergedLine[] =>
  more.length === 0 ? before : [...before, ...more].slice(-mergedLinesKept)
