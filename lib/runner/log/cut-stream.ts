import { limits } from '#lib/core/limits.ts'
import { LastBytes } from './last-bytes.ts'
import { lineFeed } from '#lib/logs/scan-lines.ts'

export interface StreamCut {
  /** @returns what is to be stored now */
  readonly push: (bytes: Uint8Array) => Uint8Array[]
  /** @returns the end of the stream, when it was kept back */
  readonly end: () => Uint8Array[]
}

/**
 * Bounds a stream: its head passes as it comes, and of the rest the end follows, between lines that say so. The last
 * part of the bound is reserved for such ends; of what remains of it, each writer of the stream (there is one for each
 * attempt of the step) takes at most a quarter, so that attempts to come find some. A writer that finds nearly none
 * leaves nothing.
 * @param given.start how much earlier writers have stored
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
  /** The last line so far has not ended, as far as this writer knows. */
  let isOpen = start.bytes > 0
  let last: LastBytes | undefined
  const begin = (): Uint8Array[] => {
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
      const told = last === undefined ? begin() : []
      last?.add(bytes.subarray(head.length))
      return [head, ...told]
    },
    end: () => {
      if (last === undefined || tailMax <= 0) return []
      const { bytes, dropped } = last.take()
      return dropped === 0 ? [bytes] : [line(`${dropped} bytes are omitted here`, false), bytes]
    },
  }
}

/** Upper bound of the length of both lines. */
const linesLength = 200

const line = (text: string, isOpen: boolean): Uint8Array => Buffer.from(`${isOpen ? '\n' : ''}[${text}]\n`)
