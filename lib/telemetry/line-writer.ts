import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { limits } from '#lib/core/limits.ts'

/** The longest atomic write to a pipe: PIPE_BUF of Linux. */
const atomicBytes = 4_096
const retryMs = { first: 5, max: 250 }

/**
 * Writes lines to standard output or standard error, and never waits for the reader. Unwritten lines are buffered up to
 * `limits.unreadLogBytesMax`; further ones are dropped and counted.
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

  /** Sets a callback that receives the number of dropped lines, once the buffer has been written. */
  onReturn(callback: (dropped: number) => void): void {
    this.#onReturn = callback
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

  /** Resolves when all lines are written, or after `withinMs`. */
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
        this.#pauseMs = Math.min(this.#pauseMs * 2, retryMs.max)
        return
      }
    }
    this.#pauseMs = retryMs.first
    this.#returned()
  }

  /** Takes as many lines as fit into one atomic write, but at least one. */
  #nextBatch(): Buffer {
    let [count, size] = [0, 0]
    for (const { length } of this.#waiting) {
      if (count > 0 && size + length > atomicBytes) break
      count += 1
      size += length
    }
    const lines = this.#waiting.splice(0, count)
    return count === 1 ? (lines[0] ?? Buffer.alloc(0)) : Buffer.concat(lines)
  }

  #returned(): void {
    for (const resolve of this.#onEmpty.splice(0)) resolve()
    const dropped = this.#dropped
    if (dropped === 0) return
    this.#droppedBefore += dropped
    this.#dropped = 0
    this.#onReturn(dropped)
  }
}

interface Target {
  /** @returns the number of written bytes; `gone`: the reader is gone for good */
  readonly write: (bytes: Buffer) => number | 'gone'
}

function openTarget(descriptor: number): Target {
  const { file, prepare } = openNonBlocking(descriptor)
  return {
    write: (bytes) => {
      try {
        prepare()
        return writeSync(file, bytes)
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        // Other errors may be temporary: a slow reader (EAGAIN), a full disk.
        return ['EPIPE', 'EBADF', 'ENXIO'].includes(code) ? 'gone' : 0
      }
    },
  }
}

/**
 * Returns a non-blocking descriptor. A pipe or terminal is reopened, because O_NONBLOCK belongs to the open file
 * description, which is shared with other processes, such as the shell and the runner. A socket, or a pipe of another
 * user, cannot be reopened. The runner may share it, and libuv makes it blocking when the runner starts, so the mode is
 * set before each write.
 */
function openNonBlocking(descriptor: number): { readonly file: number; readonly prepare: () => void } {
  const unchanged = { file: descriptor, prepare: () => undefined }
  if (process.platform === 'win32' || isFile(descriptor)) return unchanged
  const opened = openAgain(descriptor)
  if (opened !== undefined) return { file: opened, prepare: () => undefined }
  try {
    // Must stay referenced: it closes the descriptor when it is garbage-collected.
    const socket = new Socket({ fd: descriptor, readable: false, writable: true }).unref()
    const { _handle: handle } = socket as unknown as {
      _handle: { setBlocking: (isBlocking: boolean) => number }
    }
    return { file: descriptor, prepare: () => void handle.setBlocking(false) }
  } catch {
    return unchanged
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

/** The only writers of this process to standard output and standard error. */
export const standardOutput = new LineWriter(1)
export const standardError = new LineWriter(2)
