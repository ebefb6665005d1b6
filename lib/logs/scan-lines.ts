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

/** Byte offsets of the start of line `first` and the end of line `last`, counted from 1. */
export async function scanWindow(
  chunks: AsyncIterable<Uint8Array>,
  first: number,
  last: number,
): Promise<{ start: number; end: number }> {
  let line = 1
  let offset = 0
  let start = 0
  for await (const chunk of chunks) {
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) {
      line++
      if (line === first) start = offset + at + 1
      if (line === last + 1) return { start, end: offset + at + 1 }
    }
    offset += chunk.length
  }
  return { start, end: offset }
}

/** Without the final line feed, as the API shows logs. */
export function cutLines(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === lineFeed ? bytes.subarray(0, -1) : bytes
}
