export const lineFeed = 0x0a

/** Number of line feeds in these bytes. */
export function countFeeds(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count++
  return count
}

/** Counts lines; bytes after the last line feed are a line too. */
export async function countLines(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let count = 0
  let isOpen = false
  for await (const chunk of chunks) {
    count += countFeeds(chunk)
    if (chunk.length > 0) isOpen = chunk.at(-1) !== lineFeed
  }
  return isOpen ? count + 1 : count
}

/** Where lines begin, and where the last of them ends, without its line feed. Byte offsets. */
export interface LineBounds {
  readonly starts: readonly number[]
  readonly end: number
}

/** Finds the lines `first` to `last`, counted from 1, which must exist. */
export async function scanLines(
  chunks: AsyncIterable<Uint8Array>,
  first: number,
  last: number,
): Promise<LineBounds> {
  const starts: number[] = first === 1 ? [0] : []
  let line = 1
  let offset = 0
  for await (const chunk of chunks) {
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) {
      if (line === last) return { starts, end: offset + at }
      line++
      if (line >= first) starts.push(offset + at + 1)
    }
    offset += chunk.length
  }
  return { starts, end: offset }
}
