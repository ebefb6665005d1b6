import { lineFeed } from '#lib/logs/scan-lines.ts'

/** A line of which only the beginning is shown. */
export interface CutLine {
  /** Number of the line in its log. */
  readonly line: number
  /** Bytes that are missing. */
  bytes: number
}

/**
 * Cuts lines that are too long, between two characters, while they are read.
 * @param lines.first number of the first line
 * @param lines.bytesMax of each line
 * @param cut gets the lines that were cut
 */
export async function* cutLines(
  pieces: AsyncIterable<Uint8Array>,
  lines: { readonly first: number; readonly bytesMax: number },
  cut: CutLine[],
): AsyncGenerator<Uint8Array> {
  let line = lines.first
  let left = lines.bytesMax
  let open: CutLine | undefined
  for await (const piece of pieces) {
    const kept: Uint8Array[] = []
    for (let at = 0; at < piece.length;) {
      const feed = piece.indexOf(lineFeed, at)
      const end = feed < 0 ? piece.length : feed
      let shown = open === undefined ? Math.min(left, end - at) : 0
      while (shown > 0 && at + shown < end && isInside(piece[at + shown])) shown--
      if (at + shown < end) {
        if (open === undefined) cut.push((open = { line, bytes: 0 }))
        open.bytes += end - at - shown
      }
      left -= shown
      kept.push(piece.subarray(at, at + shown))
      if (feed >= 0) {
        kept.push(piece.subarray(feed, feed + 1))
        line += 1
        left = lines.bytesMax
        open = undefined
      }
      at = end + 1
    }
    yield Buffer.concat(kept)
  }
}

/** Whether a byte continues a UTF-8 character. */
const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
