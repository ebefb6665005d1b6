/** A cache with a total size. Evicts the least recently used entries, but never the newest. */
export class RecentlyUsed<Value> {
  /** In the order of last use, oldest first. */
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

  /** @param size in the same unit as the total size */
  set(key: string, value: Value, size: number): void {
    this.#drop(key)
    this.#kept.set(key, { value, size })
    this.#size += size
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#sizeMax || oldest === key) break
      this.#drop(oldest)
    }
  }

  delete(key: string): void {
    this.#drop(key)
  }

  values(): Value[] {
    return [...this.#kept.values()].map(({ value }) => value)
  }

  #drop(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0
    this.#kept.delete(key)
  }
}
