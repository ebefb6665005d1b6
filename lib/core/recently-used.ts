/** Keeps values by name up to a size of all together; what was used longest ago goes first, the newest never. */
export class RecentlyUsed<Value> {
  /** In the order of their last use. */
  readonly #kept = new Map<string, { readonly value: Value; readonly size: number }>()
  readonly #sizeMax: number
  #size = 0

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax
  }

  get(key: string): Value | undefined {
    const entry = this.#kept.get(key)
    if (entry === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, entry)
    return entry.value
  }

  /** @param size in the unit of the whole */
  set(key: string, value: Value, size: number): void {
    this.#drop(key)
    this.#kept.set(key, { value, size })
    this.#size += size
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#sizeMax || oldest === key) break
      this.#drop(oldest)
    }
  }

  values(): Value[] {
    return [...this.#kept.values()].map(({ value }) => value)
  }

  #drop(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0
    this.#kept.delete(key)
  }
}
