/**
 * Finds many byte strings in one pass: the automaton of Aho and Corasick. Its cost is linear in the text, whatever the
 * text and the needles are, and its memory is linear in the needles. A state is a number; 0 is the beginning.
 */
export class NeedleFinder {
  readonly #roots = new Int32Array(256)
  readonly #bytes: Uint8Array
  readonly #firstChild: Int32Array
  readonly #sibling: Int32Array
  /** The state of the longest proper suffix that begins a needle. */
  readonly #fallback: Int32Array
  readonly #depth: Int32Array
  /** Length of the longest needle that ends in a state; 0: none does. */
  readonly #found: Int32Array
  #count = 1

  /** @param needles none of them empty */
  constructor(needles: readonly Uint8Array[]) {
    const size = needles.reduce((sum, { length }) => sum + length, 1)
    this.#bytes = new Uint8Array(size)
    this.#firstChild = new Int32Array(size)
    this.#sibling = new Int32Array(size)
    this.#fallback = new Int32Array(size)
    this.#depth = new Int32Array(size)
    this.#found = new Int32Array(size)
    for (const needle of needles) this.#add(needle)
    this.#link()
  }

  /** The state after one more byte. */
  next(state: number, byte: number): number {
    for (let from = state; from !== 0; from = this.#fallback[from] ?? 0) {
      const child = this.#child(from, byte)
      if (child !== 0) return child
    }
    return this.#roots[byte] ?? 0
  }

  /** How many of the last bytes may be the beginning of a needle. */
  openLength(state: number): number {
    return this.#depth[state] ?? 0
  }

  /** Length of the longest needle that ends here; 0: none does. */
  foundLength(state: number): number {
    return this.#found[state] ?? 0
  }

  #child(state: number, byte: number): number {
    let child = this.#firstChild[state] ?? 0
    while (child !== 0 && this.#bytes[child] !== byte) child = this.#sibling[child] ?? 0
    return child
  }

  #add(needle: Uint8Array): void {
    let state = 0
    for (const byte of needle) {
      const known = state === 0 ? (this.#roots[byte] ?? 0) : this.#child(state, byte)
      state = known === 0 ? this.#grow(state, byte) : known
    }
    this.#found[state] = needle.length
  }

  #grow(parent: number, byte: number): number {
    const state = this.#count++
    this.#bytes[state] = byte
    this.#depth[state] = (this.#depth[parent] ?? 0) + 1
    if (parent === 0) this.#roots[byte] = state
    else {
      this.#sibling[state] = this.#firstChild[parent] ?? 0
      this.#firstChild[parent] = state
    }
    return state
  }

  /** Sets the fallbacks, by depth, since that of a state follows from that of its parent. */
  #link(): void {
    const order = [...this.#roots].filter((state) => state !== 0)
    for (let at = 0; at < order.length; at++) {
      const parent = order[at] ?? 0
      for (let state = this.#firstChild[parent] ?? 0; state !== 0; state = this.#sibling[state] ?? 0) {
        const fallback = this.next(this.#fallback[parent] ?? 0, this.#bytes[state] ?? 0)
        this.#fallback[state] = fallback
        if (this.#found[state] === 0) this.#found[state] = this.#found[fallback] ?? 0
        order.push(state)
      }
    }
  }
}
