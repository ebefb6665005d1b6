import { limits } from '#lib/core/limits.ts'
import { LastBytes } from './last-bytes.ts'
import { lineFeed } from '#lib/logs/scan-lines.ts'

export interface StreamCut {
  /** @returns the bytes to store now */
  readonly push: (bytes: Uint8Array) => Uint8Array[]
  /** @returns the last bytes of the stream, if they were held back */
  readonly end: () => Uint8Array[]
}

/**
 * Limits the size of a stream: stores its head and its last bytes, with lines that state the omission. The end of the
 * allowed size is reserved for last bytes. Each writer (there is one per attempt of the step) takes at most a quarter
 * of the remaining reserve, to leave some for later attempts. When too little remains, only the head is stored.
 * @param given.start bytes stored by earlier writers
 */
export function cutStream(given: {
  readonly bytesMax: number
  readonly start: { readonly bytes: number }
}): StreamCut {
  const { bytesMax, start } = given
  const reserve = Math.min(limits.logTailBytesMax * 4, Math.floor(bytesMax / 4))
  let headLeft = Math.max(0, bytesMax - reserve - start.bytes)
  const rest = Math.min(reserve, bytesMax - start.bytes)
  const tailMax = Math.floor(rest / 4) - linesLength
  /** True if the last line stored so far may lack its line feed. */
  let isOpen = start.bytes > 0
  let last: LastBytes | undefined
  const startTail = (): Uint8Array[] => {
    last = new LastBytes(Math.max(0, tailMax))
    if (tailMax <= 0) return []
    const text = `the log is too long: of the rest, only the last ${tailMax} bytes follow when the step ends`
    return [line(text, isOpen)]
  }
  return {
    push: (bytes) => {
      if (bytes.length === 0) return []
      const head = bytes.subarray(0, headLeft)
      headLeft -= head.length
      if (head.length > 0) isOpen = head.at(-1) !== lineFeed
      if (head.length === bytes.length) return [head]
      const notice = last === undefined ? startTail() : []
      last?.add(bytes.subarray(head.length))
      return [head, ...notice]
    },
    end: () => {
      if (last === undefined || tailMax <= 0) return []
      const { bytes, dropped } = last.take()
      return dropped === 0 ? [bytes] : [line(`${dropped} bytes are omitted here`, false), bytes]
    },
  }
}

/** Upper bound of the length of both notice lines. */
const linesLength = 200

const line = (text: string, isOpen: boolean): Uint8Array => Buffer.from(`${isOpen ? '\n' : ''}[${text}]\n`)
