import type { LogKey, LogPiece, LogStore } from './log-store.ts'
import { readLines } from './read-lines.ts'

/** A log to be merged with others. */
export interface MergedSource {
  readonly key: LogKey
  /** Orders what was stored at the same time, and names the log in places; the same at each call. */
  readonly number: number
  /** The time of what was stored before times were noted, milliseconds since 1970. */
  readonly since: number
}

/** A line of one of the logs. */
export interface MergedLine {
  readonly source: MergedSource
  /** Counted from 1, within its log. */
  readonly line: number
  readonly text: string
  /** Bytes that are missing at its end. */
  readonly missing: number
  /** When its part of the log was stored. */
  readonly at: number
}

/** A position in the order of merged lines: everything before it is known. */
export interface MergedPosition {
  readonly at: number
  readonly source: number
  /** Byte offset of the part of the log. */
  readonly start: number
  /** The next line. */
  readonly line: number
}

/** A part of a log at its position in the order. */
export interface MergedPiece extends LogPiece {
  readonly source: MergedSource
  readonly at: number
  /** Byte offset behind it; infinite for the last part of a log. */
  readonly end: number
}

/** The parts of all logs, in the order in which they were stored. */
export async function orderedPieces(
  logs: LogStore,
  sources: readonly MergedSource[],
): Promise<MergedPiece[]> {
  const found = await logs.pieces(sources.map(({ key }) => key))
  const pieces = sources.flatMap((source, index) => {
    const own = found[index] ?? []
    let latest = source.since
    return own.map((piece, nth): MergedPiece => {
      // Clocks may be set back: the order within a log is that of its bytes.
      latest = Math.max(latest, piece.at ?? source.since)
      return { ...piece, source, at: latest, end: own[nth + 1]?.start ?? Infinity }
    })
  })
  return pieces.toSorted(byPosition)
}

const byPosition = (a: MergedPiece, b: MergedPiece): number =>
  a.at - b.at || a.source.number - b.source.number || a.start - b.start

/** Whether all of a piece comes before a position. */
export const isBefore = (piece: MergedPiece, position: MergedPosition): boolean =>
  (piece.at - position.at || piece.source.number - position.source || piece.start - position.start) < 0

export const positionIn = ({ at, source, start }: MergedPiece, line: number): MergedPosition => ({
  at,
  source: source.number,
  start,
  line,
})

/** The lines that begin in a piece. @param isOver whether a line without its end counts: no more is coming */
export async function* linesOfPiece(
  logs: LogStore,
  piece: MergedPiece,
  isOver: boolean,
): AsyncGenerator<MergedLine> {
  const { source, start, end, feeds, at } = piece
  // The byte before shows whether a line begins at the first one.
  const from = Math.max(0, start - 1)
  let number: number | undefined
  for await (const { offset, text, missing, isWhole } of readLines(logs.read(source.key, from), from)) {
    if (offset >= end || !(isWhole || isOver)) return
    if (offset < start) continue
    number = number === undefined ? feeds + (offset === start ? 1 : 2) : number + 1
    yield { source, line: number, text, missing, at }
  }
}
