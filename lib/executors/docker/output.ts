import type { Readable } from 'node:stream'
import type { OutputSink } from '../executor.ts'
import { within } from './waiting.ts'

export interface Sinks {
  readonly stdout: OutputSink
  readonly stderr: OutputSink
}

/** Without a terminal, the engine sends frames with a header of 8 bytes (stream, length). */
const headerBytes = 8

/** Splits a stream into frames without buffering any: a piece of a frame is passed on as it arrives. */
export class FrameSplitter {
  readonly #header = Buffer.alloc(headerBytes)
  #headerFilled = 0
  #left = 0
  #isError = false

  #readHeader(): void {
    this.#headerFilled = 0
    const stream = this.#header.readUInt8(0)
    // 0: echo of the input, 1: standard output, 2: standard error, 3: messages of the engine.
    if (stream > 3) throw new Error('the engine sent output that cannot be read')
    this.#isError = stream > 1
    this.#left = this.#header.readUInt32BE(4)
  }

  /** @throws Error when the bytes are not frames */
  *split(chunk: Buffer): Generator<{ readonly isError: boolean; readonly bytes: Buffer }> {
    let at = 0
    while (at < chunk.length) {
      if (this.#left === 0) {
        const taken = chunk.copy(this.#header, this.#headerFilled, at)
        at += taken
        this.#headerFilled += taken
        if (this.#headerFilled === headerBytes) this.#readHeader()
        continue
      }
      const bytes = chunk.subarray(at, at + this.#left)
      at += bytes.length
      this.#left -= bytes.length
      yield { isError: this.#isError, bytes }
    }
  }
}

/**
 * Passes the output of a container to its sinks, byte for byte. It reads on only when they have taken it
 * (back-pressure).
 */
export class OutputPump {
  /** Settles when everything was passed on; rejects when a sink failed or the connection was lost. */
  readonly done: Promise<void>
  readonly #source: Readable
  #isClosed = false
  #hasEnded = false
  #isHeld = false
  #bytes = 0

  /** @param framed false for a container with a terminal, whose output is one stream */
  constructor(source: Readable, sinks: Sinks, framed: boolean) {
    this.#source = source
    this.done = this.#run(sinks, framed).finally(() => {
      this.#hasEnded = true
    })
    // Prevents an unhandled rejection when nobody is waiting yet.
    this.done.catch(() => undefined)
  }

  /** Discards what the sinks have not taken, and stops reading. */
  readonly dropHeld = (): void => {
    if (this.#isHeld) this.close()
  }

  /**
   * Waits for the rest of the output after the process has ended. Another process may hold the stream open forever.
   * @param idleMs after this long without output, the stream counts as ended
   */
  async finish(idleMs: number): Promise<void> {
    while (!this.#hasEnded) {
      const before = this.#bytes
      await within(
        idleMs,
        this.done.catch(() => undefined),
        undefined,
      )
      if (!this.#hasEnded && !this.#isHeld && this.#bytes === before) this.close()
    }
    await this.done
  }

  close(): void {
    this.#isClosed = true
    this.#source.destroy()
  }

  async #run({ stdout, stderr }: Sinks, framed: boolean): Promise<void> {
    const splitter = new FrameSplitter()
    const pieces = (chunk: Buffer) => (framed ? splitter.split(chunk) : [{ isError: false, bytes: chunk }])
    try {
      for await (const chunk of this.#source as AsyncIterable<Buffer>) {
        for (const { isError, bytes } of pieces(chunk)) {
          this.#bytes += bytes.length
          const held = (isError ? stderr : stdout)(bytes)
          if (held === undefined) continue
          this.#isHeld = true
          await held
          this.#isHeld = false
        }
      }
    } catch (error) {
      if (!this.#isClosed || this.#isHeld) throw error
    }
  }
}
