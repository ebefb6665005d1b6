import { limits } from '#lib/core/limits.ts'
import { lineFeed } from './scan-lines.ts'

export interface ReadLine {
  /** Byte offset of its beginning. */
  readonly offset: number
  readonly text: string
  /** Bytes that are missing at its end: it is longer than `limits.mergedLineBytesMax`. */
  readonly missing: number
  /** False: its end was not written yet. */
  readonly isWhole: boolean
}

/** The lines of a log, one at a time. @param from byte offset at which the bytes begin, and with them a line */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, from: number): AsyncGenerator<ReadLine> {
  let offset = from
  let kept: Buffer[] = []
  let [length, size] = [0, 0]
  const add = (bytes: Uint8Array): void => {
    const room = limits.mergedLineBytesMax - size
    if (room > 0) kept.push(Buffer.from(bytes.subarray(0, room)))
    size += Math.min(room, bytes.length)
    length += bytes.length
  }
  const line = (isWhole: boolean): ReadLine => {
    const text = Buffer.concat(kept).toString('utf8')
    return { offset, text, missing: length - size, isWhole }
  }
  for await (const chunk of chunks) {
    let at = 0
    for (let feed = chunk.indexOf(lineFeed); feed >= 0; feed = chunk.indexOf(lineFeed, at)) {
      add(chunk.subarray(at, feed))
      yield line(true)
      offset += length + 1
      ;[kept, length, size] = [[], 0, 0]
      at = feed + 1
    }
    add(chunk.subarray(at))
  }
  if (length > 0) yield line(false)
}
