const initialBytes = 4_096

/** Keeps the last bytes of a stream in a ring buffer, which grows with the stream up to its capacity. */
export class LastBytes {
  readonly #capacity: number
  #ring = Buffer.alloc(0)
  /** Index of the next byte to write; in a full ring, that of the oldest byte. */
  #next = 0
  #size = 0
  #dropped = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  add(bytes: Uint8Array): void {
    this.#makeRoom(this.#size + bytes.length)
    const length = this.#ring.length
    this.#dropped += Math.max(0, this.#size + bytes.length - length)
    this.#size = Math.min(length, this.#size + bytes.length)
    if (length === 0) return
    const kept = bytes.subarray(Math.max(0, bytes.length - length))
    const first = Math.min(kept.length, length - this.#next)
    this.#ring.set(kept.subarray(0, first), this.#next)
    this.#ring.set(kept.subarray(first), 0)
    this.#next = (this.#next + kept.length) % length
  }

  /**
   * Takes the kept bytes. After a drop they start at a line if one starts in them, otherwise at a UTF-8 character.
   * @returns `dropped`: number of bytes before them
   */
  take(): { readonly bytes: Uint8Array; readonly dropped: number } {
    const oldest = this.#size < this.#ring.length ? 0 : this.#next
    const all = Buffer.concat([this.#ring.subarray(oldest, this.#size), this.#ring.subarray(0, oldest)])
    const start = this.#dropped === 0 ? 0 : firstBoundary(all)
    const dropped = this.#dropped + start
    this.#ring = Buffer.alloc(0)
    this.#next = this.#size = this.#dropped = 0
    return { bytes: all.subarray(start), dropped }
  }

  #makeRoom(size: number): void {
    const length = this.#ring.length
    if (size <= length || length === this.#capacity) return
    const larger = Buffer.alloc(Math.min(this.#capacity, Math.max(initialBytes, size * 2)))
    // A ring below its capacity has never wrapped around.
    this.#ring.copy(larger, 0, 0, this.#size)
    this.#next = this.#size
    this.#ring = larger
  }
}

function firstBoundary(bytes: Uint8Array): number {
  const feed = bytes.indexOf(0x0a)
  if (feed >= 0 && feed < bytes.length - 1) return feed + 1
  let start = 0
  while (start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return start
}
