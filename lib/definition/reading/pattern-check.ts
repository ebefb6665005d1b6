import { readPattern } from '#lib/definition/values/pattern.ts'

/** Enough for dozens of patterns. A hostile one takes tens of milliseconds to compile. */
const effortMax = 5_000

/**
 * Checks the `re:` patterns of a file, each distinct one once, within a budget of effort. Patterns beyond the budget
 * are checked when they are used.
 */
export class PatternCheck {
  readonly #faults = new Map<string, string | undefined>()
  #effort = 0

  /** Charges a pattern that is about to be compiled. @returns false when the budget is used up */
  spend(pattern: string): boolean {
    this.#effort += 10 + pattern.length + (pattern.includes('{') ? 100 : 0)
    return this.#effort <= effortMax
  }

  /** The fault of an expected text; undefined for a text without `re:`. */
  fault(text: string): string | undefined {
    if (!text.startsWith('re:')) return undefined
    const pattern = text.slice(3)
    if (this.#faults.has(pattern)) return this.#faults.get(pattern)
    if (!this.spend(pattern)) return undefined
    const reading = readPattern(pattern)
    const fault = 'fault' in reading ? reading.fault : undefined
    this.#faults.set(pattern, fault)
    return fault
  }
}
