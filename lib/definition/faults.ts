import type { Problem } from './definition.ts'

/** More than these are counted, not told: a file with a thousand faults has one cause. */
const toldMax = 100

/** Collects the faults of one text. */
export class Faults {
  readonly #positionOf: (offset: number) => { line: number; column: number }
  readonly #found: Found[] = []
  #untold = 0

  constructor(positionOf: (offset: number) => { line: number; column: number }) {
    this.#positionOf = positionOf
  }

  /** @param at offset in the text; undefined: the fault has no place. The message is made only when it is told. */
  add(at: number | undefined, message: string | (() => string)): void {
    if (this.#found.length >= toldMax) this.#untold += 1
    else this.#found.push({ at, message: typeof message === 'string' ? message : message() })
  }

  #problem({ at, message }: Found): Problem {
    return at === undefined ? { message } : { message, ...this.#positionOf(at) }
  }

  /** In the order of the text. */
  problems(): Problem[] {
    const sorted = this.#found.toSorted(
      (one, other) => (one.at ?? 0) - (other.at ?? 0) || (one.message < other.message ? -1 : 1),
    )
    const told = sorted
      .filter(({ at, message }, place) => !isSame(sorted[place - 1], at, message))
      .map((found) => this.#problem(found))
    return this.#untold === 0 ? told : [...told, { message: `and ${this.#untold} more faults` }]
  }
}

interface Found {
  readonly at: number | undefined
  readonly message: string
}

/** The base configuration is read for each document, and told once. */
function isSame(before: Found | undefined, at: number | undefined, message: string): boolean {
  return before?.at === at && before?.message === message
}

/** The start of a value, for a message: short whatever the value is. */
export function show(value: unknown): string {
  if (value === null || value === undefined) return 'empty'
  if (typeof value === 'string') {
    return value.length > 60 ? `${JSON.stringify(value.slice(0, 60))}…` : JSON.stringify(value)
  }
  if (Array.isArray(value)) return `a list ${preview(value.slice(0, 4).map(brief), '[]', value.length > 3)}`
  if (typeof value === 'object') {
    const entries = Object.entries(value).slice(0, 4)
    const members = entries.map(([key, inner]) => `${key.slice(0, 40)}: ${brief(inner)}`)
    return `a map ${preview(members, '{}', Object.keys(value).length > 3)}`
  }
  return JSON.stringify(value)
}

function preview(parts: readonly string[], [open, close]: string, cut: boolean): string {
  return `${open}${[...parts.slice(0, 3), ...(cut ? ['…'] : [])].join(', ')}${close}`
}

function brief(value: unknown): string {
  if (typeof value === 'string') return show(value.slice(0, 30))
  if (value === null) return 'null'
  return typeof value === 'object' ? '…' : JSON.stringify(value)
}
