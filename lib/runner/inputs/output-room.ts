import { limits } from '#lib/core/limits.ts'

/** Bounds the captured outputs of a run, which are held in memory and stored with it. */
export class OutputRoom {
  /** By the index of the step. */
  readonly #bytes = new Map<number, number>()
  #total = 0

  /**
   * Notes the size of the output of a step, instead of that of its earlier one.
   * @returns whether there is room for it
   */
  take(index: number, bytes: number): boolean {
    this.#total += bytes - (this.#bytes.get(index) ?? 0)
    this.#bytes.set(index, bytes)
    return this.#total <= limits.runOutputBytesMax
  }
}
