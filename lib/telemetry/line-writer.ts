import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { limits } from '#lib/core/limits.ts'

/** The longest write to a pipe that is not mixed with the lines of another process (PIPE_BUF of Linux). */
const wholeBytes = 4_096
const retryMs = { first: 5, most: 250 }

/**
 * Writes lines to standard output or standard error without ever waiting for the reader. What cannot be written is
 * kept, within `limits.unreadLogBytesMax`; further lines are dropped and counted.
 */
export class LineWriter {
  readonly #descriptor: number
  #target: Target | undefined
  #waiting: Buffer[] = []
  #size = 0
  #dropped = 0
  #droppedBefore = 0
  #pauseMs = retryMs.first
  #timer: NodeJS.Timeout | undefined
  #onReturn: (dropped: number) => void = () => undefined
  #onEmpty: (() => void)[] = []

  /** @param descriptor 1 or 2, of this process */
  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  /** Number of lines that were dropped since the process started. */
  get dropped(): number {
    return this.#droppedBefore + this.#dropped
  }

  /** Calls `tell` with the number of dropped lines when the reader has read what was kept. */
  onReturn(tell: (dropped: number) => void): void {
    this.#onReturn = tell
  }

  /** @param line whole lines, with their line breaks */
  write(line: string): void {
    const bytes = Buffer.from(line)
    if (this.#size > 0 && this.#size + bytes.length > limits.unreadLogBytesMax) {
      this.#dropped += 1
      return
    }
    this.#waiting.push(bytes)
    this.#size += bytes.length
    if (this.#timer === undefined) this.#send()
  }

  /** Settles when all lines are written, at the latest after `withinMs`. */
  async flush(withinMs: number): Promise<void> {
    if (this.#size === 0) return
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, withinMs)
      this.#onEmpty.push(() => {
        clearTimeout(limit)
        resolve()
      })
    })
  }

  #send(): void {
    this.#timer = undefined
    this.#target ??= openTarget(this.#descriptor)
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch()
      const count = this.#target.write(batch)
      if (count === 'gone') {
        this.#waiting = []
        this.#size = 0
        break
      }
      this.#size -= count
      if (count > 0) this.#pauseMs = retryMs.first
      if (count < batch.length) {
        this.#waiting.unshift(batch.subarray(count))
        this.#timer = setTimeout(() => this.#send(), this.#pauseMs).unref()
        this.#pauseMs = Math.min(this.#pauseMs * 2, retryMs.most)
        return
      }
    }
    this.#pauseMs = retryMs.first
    this.#returned()
  }

  /** Takes as many lines as go into one whole write, at least one. */
  #nextBatch(): Buffer {
    let [count, size] = [0, 0]
    for (const { length } of this.#waiting) {
      if (count > 0 && size + length > wholeBytes) break
      count += 1
      size += length
    }
    const lines = this.#waiting.splice(0, count)
    return count === 1 ? (lines[0] ?? Buffer.alloc(0)) : Buffer.concat(lines)
  }

  #returned(): void {
    for (const tell of this.#onEmpty.splice(0)) tell()
    const dropped = this.#dropped
    if (dropped === 0) return
    this.#droppedBefore += dropped
    this.#dropped = 0
    this.#onReturn(dropped)
  }
}

interface Target {
  /** @returns how many bytes were written; `gone`: nobody will ever read more */
  readonly write: (bytes: Buffer) => number | 'gone'
}

function openTarget(descriptor: number): Target {
  const { file, prepare } = withoutWaiting(descriptor)
  return {
    write: (bytes) => {
      try {
        prepare()
        return writeSync(file, bytes)
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        // Anything else may pass: a reader that does not read (EAGAIN), a full disk.
        return ['EPIPE', 'EBADF', 'ENXIO'].includes(code) ? 'gone' : 0
      }
    },
  }
}

/**
 * A descriptor whose writes do not wait. A pipe or a terminal is opened again, because whether its writes wait is
 * common to all processes that share the opening: the shell, the runner. That is impossible for a socket, and for a
 * pipe of another user; these are shared with the runner alone, whose start makes them wait again (libuv), so they are
 * set before each write.
 */
function withoutWaiting(descriptor: number): { readonly file: number; readonly prepare: () => void } {
  const asItIs = { file: descriptor, prepare: () => undefined }
  if (process.platform === 'win32' || isFile(descriptor)) return asItIs
  const opened = openAgain(descriptor)
  if (opened !== undefined) return { file: opened, prepare: () => undefined }
  try {
    // Kept for the life of the process: it closes the descriptor when it is collected.
    const socket = new Socket({ fd: descriptor, readable: false, writable: true }).unref()
    const { _handle: handle } = socket as unknown as { _handle: { setBlocking: (waits: boolean) => number } }
    return { file: descriptor, prepare: () => void handle.setBlocking(false) }
  } catch {
    return asItIs
  }
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return true
  }
}

function openAgain(descriptor: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
  try {
    return openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return undefined
  }
}

/** What this process writes to its two outputs; nothing else writes to them. */
export const standardOutput = new LineWriter(1)
export const standardError = new LineWriter(2)
