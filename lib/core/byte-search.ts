/**
 * Finds many texts at once in a stream of bytes (Aho-Corasick). The time is linear in the stream, whatever it and the
 * texts are; searching for one text after the other is quadratic for texts such as `aaa…b`.
 *
 * A state stands for the last bytes of the stream as far as they begin one of the texts; 0 is the first state.
 */
export class ByteSearch {
  readonly #ofRoot = new Int32Array(256)
  readonly #firstChild: Int32Array
  readonly #sibling: Int32Array
  readonly #byte: Uint8Array
  /** The state for the longest proper ending of these bytes. */
  readonly #shorter: Int32Array
  readonly #depth: Int32Array
  readonly #longest: Int32Array
  #states = 1

  /** Memory: about 21 bytes per byte of the texts. */
  constructor(texts: readonly Uint8Array[]) {
    const size = texts.reduce((sum, text) => sum + text.length, 1)
    this.#firstChild = new Int32Array(size)
    this.#sibling = new Int32Array(size)
    this.#byte = new Uint8Array(size)
    this.#shorter = new Int32Array(size)
    this.#depth = new Int32Array(size)
    this.#longest = new Int32Array(size)
    for (const text of texts) this.#add(text)
    this.#link()
  }

  /** The state after another byte. */
  next(state: number, byte: number): number {
    let at = state
    while (at !== 0) {
      const child = this.#child(at, byte)
      if (child !== 0) return child
      at = this.#shorter[at] ?? 0
    }
    return this.#ofRoot[byte] ?? 0
  }

  /** Number of last bytes of the stream that may be the beginning of a text. */
  openLength(state: number): number {
    return this.#depth[state] ?? 0
  }

  /** Length of the longest text that ends here; 0: none does. */
  foundLength(state: number): number {
    return this.#longest[state] ?? 0
  }

  #child(state: number, byte: number): number {
    let child = this.#firstChild[state] ?? 0
    while (child !== 0 && this.#byte[child] !== byte) child = this.#sibling[child] ?? 0
    return child
  }

  #add(text: Uint8Array): void {
    let state = 0
    for (const byte of text) {
      let next = state === 0 ? (this.#ofRoot[byte] ?? 0) : this.#child(state, byte)
      if (next === 0) {
        next = this.#states++
        this.#byte[next] = byte
        this.#depth[next] = (this.#depth[state] ?? 0) + 1
        this.#sibling[next] = this.#firstChild[state] ?? 0
        this.#firstChild[state] = next
        if (state === 0) this.#ofRoot[byte] = next
      }
      state = next
    }
    this.#longest[state] = text.length
  }

  /** Computes the shorter states, those of short texts first. */
  #link(): void {
    const order = new Int32Array(this.#states)
    let filled = 1
    for (let index = 0; index < filled; index++) {
      const state = order[index] ?? 0
      for (let child = this.#firstChild[state] ?? 0; child !== 0; child = this.#sibling[child] ?? 0) {
        if (state !== 0) this.#shorter[child] = this.next(this.#shorter[state] ?? 0, this.#byte[child] ?? 0)
        if (this.#longest[child] === 0) this.#longest[child] = this.#longest[this.#shorter[child] ?? 0] ?? 0
        order[filled++] = child
      }
    }
  }
}
