const leastRoom = 1_024

/**
 * Gathers bytes. They take a few times their size, however small the pieces are: an object for each byte would take a
 * hundred times as much.
 */
export class GrowingBytes {
  #room = Buffer.alloc(0)
  #size = 0

  get size(): number {
    return this.#size
  }

  add(bytes: Uint8Array): void {
    const size = this.#size + bytes.length
    if (size > this.#room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(leastRoom, size * 2))
      this.#room.copy(larger, 0, 0, this.#size)
      this.#room = larger
    }
    this.#room.set(bytes, this.#size)
    this.#size = size
  }

  /** @returns what was gathered; afterwards, nothing is */
  take(): Buffer {
    const taken = this.#room.subarray(0, this.#size)
    this.#room = Buffer.alloc(0)
    this.#size = 0
    return taken
  }
}
