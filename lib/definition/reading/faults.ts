import type { Mention, Problem } from '#lib/definition/definition.ts'

/** Further faults are only counted: a file with a thousand faults has one cause. */
const toldMax = 100

type PositionOf = (offset: number) => { line: number; column: number }

/** Collects the faults of a text, the warnings about it, and what it mentions. */
export class Faults {
  readonly #faults: Findings
  readonly #warnings: Findings
  readonly #mentions: (Pick<Mention, 'kind' | 'name'> & { readonly at: number })[] = []
  readonly #positionOf: PositionOf

  constructor(positionOf: PositionOf) {
    this.#positionOf = positionOf
    this.#faults = new Findings(positionOf)
    this.#warnings = new Findings(positionOf)
  }

  /**
   * Adds a fault, once: the base configuration is read for each document, but reported only once.
   * @param at offset in the text
   * @param message built only when it is needed
   * @param end offset at which what is wrong is over, where that is a single value
   */
  add(at: number, message: string | (() => string), end?: number): void {
    this.#faults.add({ at, end }, message)
  }

  /** Adds a warning: the file runs, but perhaps not as its author expects. */
  warn(at: number, message: string | (() => string), end?: number): void {
    this.#warnings.add({ at, end }, message)
  }

  /** The line of an offset, counted from 1. */
  lineOf(at: number): number {
    return this.#positionOf(at).line
  }

  mention(at: number, kind: Mention['kind'], name: string): void {
    if (this.#mentions.length < toldMax) this.#mentions.push({ at, kind, name })
  }

  mentions(): Mention[] {
    return this.#mentions
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, ...rest }) => Object.assign(rest, this.#positionOf(at)))
  }

  /** In the order of the text. */
  problems(): Problem[] {
    return this.#faults.list()
  }

  /** In the order of the text. */
  warnings(): Problem[] {
    return this.#warnings.list()
  }
}

interface Range {
  readonly at: number
  readonly end: number | undefined
}

class Findings {
  readonly #positionOf: PositionOf
  readonly #found: (Range & { readonly message: string })[] = []
  readonly #seen = new Set<string>()
  #unreported = 0

  constructor(positionOf: PositionOf) {
    this.#positionOf = positionOf
  }

  add({ at, end }: Range, message: string | (() => string)): void {
    if (this.#found.length >= toldMax) {
      this.#unreported += 1
      return
    }
    const text = typeof message === 'string' ? message : message()
    const key = `${at} ${text}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.#found.push({ at, end, message: text })
  }

  list(): Problem[] {
    const reported: Problem[] = this.#found
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, end, message }) => Object.assign({ message }, this.#positionOf(at), this.#endOf(end)))
    return this.#unreported === 0 ? reported : [...reported, { message: `and ${this.#unreported} more` }]
  }

  #endOf(end: number | undefined): Pick<Problem, 'endLine' | 'endColumn'> {
    if (end === undefined) return {}
    const { line, column } = this.#positionOf(end)
    return { endLine: line, endColumn: column }
  }
}

/** The beginning of a value, for a message; short, whatever the value is. */
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
