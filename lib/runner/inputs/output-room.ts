import { limits } from '#lib/core/limits.ts'

/** Bounds the captured outputs of a run, which are held in memory and stored with it. */
export class OutputRoom {
  /** By the place of the step in the plan. */
  readonly #bytes = new Map<number, number>()
  #total = 0

  /**
   * Notes the size of the output of a step, instead of that of its earlier one.
   * @returns whether there is room for it
   */
  take(place: number, bytes: number): boolean {
    this.#total += bytes - (this.#bytes.get(place) ?? 0)
    this.#bytes.set(place, bytes)
    return this.#total <= limits.runOutputBytesMax
  }
}
