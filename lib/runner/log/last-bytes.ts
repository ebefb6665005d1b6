const leastRoom = 4_096

/** Keeps the last bytes of a stream in a ring, which grows with the stream up to its bound. */
export class LastBytes {
  readonly #most: number
  #ring = Buffer.alloc(0)
  /** Where the next byte goes, and so where the oldest one is once the ring is full. */
  #next = 0
  #size = 0
  #dropped = 0

  constructor(most: number) {
    this.#most = most
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
   * Takes what is kept. When bytes were dropped, it begins with a whole line if it holds one, and otherwise with a
   * whole UTF-8 character.
   * @returns `dropped`: how many bytes were added before the first of these
   */
  take(): { readonly bytes: Uint8Array; readonly dropped: number } {
    const oldest = this.#size < this.#ring.length ? 0 : this.#next
    const all = Buffer.concat([this.#ring.subarray(oldest, this.#size), this.#ring.subarray(0, oldest)])
    const start = this.#dropped === 0 ? 0 : wholeFrom(all)
    const dropped = this.#dropped + start
    this.#ring = Buffer.alloc(0)
    this.#next = this.#size = this.#dropped = 0
    return { bytes: all.subarray(start), dropped }
  }

  #makeRoom(size: number): void {
    const length = this.#ring.length
    if (size <= length || length === this.#most) return
    const larger = Buffer.alloc(Math.min(this.#most, Math.max(leastRoom, size * 2)))
    // Until it has its full size, the ring has never been filled beyond its end.
    this.#ring.copy(larger, 0, 0, this.#size)
    this.#next = this.#size
    this.#ring = larger
  }
}

function wholeFrom(bytes: Uint8Array): number {
  const feed = bytes.indexOf(0x0a)
  if (feed >= 0 && feed < bytes.length - 1) return feed + 1
  let start = 0
  while (start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return start
}
