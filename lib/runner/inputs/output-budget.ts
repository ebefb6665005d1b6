import { limits } from '#lib/core/limits.ts'

/** Limits the captured outputs of a run, which are held in memory and stored with it. */
export class OutputBudget {
  /** Bytes by step index. */
  readonly #bytes = new Map<number, number>()
  #total = 0

  /**
   * Sets the size of a step's output, replacing its previous size.
   * @returns whether all outputs together are within the limit
   */
  reserve(index: number, bytes: number): boolean {
    this.#total += bytes - (this.#bytes.get(index) ?? 0)
    this.#bytes.set(index, bytes)
    return this.#total <= limits.runOutputBytesMax
  }
}
