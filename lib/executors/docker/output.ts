import type { Readable } from 'node:stream'
import type { OutputSink } from '../executor.ts'
import { within } from './waiting.ts'

export interface Sinks {
  readonly stdout: OutputSink
  readonly stderr: OutputSink
}

/** What the engine sends of a container without a terminal: pieces behind a header of 8 bytes (stream, length). */
const headerBytes = 8

/** Takes the frames apart without ever holding one: a piece of a frame is handed on as it comes. */
export class FrameSplitter {
  readonly #header = Buffer.alloc(headerBytes)
  #headerFilled = 0
  #left = 0
  #isError = false

  #readHeader(): void {
    this.#headerFilled = 0
    const stream = this.#header.readUInt8(0)
    // 0: the echo of an input, 1: output, 2: errors, 3: what the engine itself has to say.
    if (stream > 3) throw new Error('the engine sent output that cannot be read')
    this.#isError = stream > 1
    this.#left = this.#header.readUInt32BE(4)
  }

  /** @throws Error when the bytes are no frames */
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

/** Hands the output of a container to its sinks, byte for byte, reading on only when they have taken it. */
export class OutputPump {
  /** Settles when all is handed over; rejects when a sink failed or the connection was lost. */
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
    // Whoever waits is told; nobody may be waiting yet.
    this.done.catch(() => undefined)
  }

  /** Stops reading if nobody takes what was read. */
  readonly dropHeld = (): void => {
    if (this.#isHeld) this.close()
  }

  /**
   * Waits for the rest when the process is known to have ended: somebody else may hold the stream open for ever.
   * @param idleMs how long nothing may come before that is taken for the end
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
