/** A job of another program: an equivalent DAG, or why there is none. */
export interface Converted {
  readonly name: string
  readonly spec?: string
  readonly fault?: string
  /** The schedules of the DAG, for a report. */
  readonly schedule: string
  /** What differs from the other program, a sentence each. */
  readonly notes: readonly string[]
}

/** How the YAML of a DAG is written: without anchors, which would stand for equal parts. */
export const withoutAliases = { aliasDuplicateObjects: false } as const

const nameLengthMax = 36

/** Makes names of DAGs out of any texts; a name that is taken gets a number. */
export class DagNames {
  readonly #counts = new Map<string, number>()

  /** @param fallback the name of a text that has no letters and digits */
  take(text: string, fallback: string): string {
    const base = plainName(text) || fallback
    const count = (this.#counts.get(base) ?? 0) + 1
    this.#counts.set(base, count)
    return count === 1 ? base : `${base}-${count}`
  }
}

/** A text as a name: letters, digits, points, underscores and dashes. */
export function plainName(text: string): string {
  const allowed = text.slice(0, 200).replaceAll(/[^A-Za-z0-9._-]+/g, '-')
  return trimmed(trimmed(allowed).slice(0, nameLengthMax))
}

/** Without points and dashes at its ends. */
function trimmed(name: string): string {
  const isEdge = (index: number): boolean => '-.'.includes(name.charAt(index))
  let [first, end] = [0, name.length]
  while (first < end && isEdge(first)) first += 1
  while (end > first && isEdge(end - 1)) end -= 1
  return name.slice(first, end)
}

/** A list of numbers as a field of a cron schedule; `*` for all of them. */
export function numbersField(numbers: readonly number[], low: number, high: number): string {
  const sorted = [...new Set(numbers)].toSorted((a, b) => a - b)
  if (sorted.length === 0 || sorted.length === high - low + 1) return '*'
  const ranges: string[] = []
  for (let at = 0; at < sorted.length;) {
    let end = at
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end += 1
    const [first, last] = [sorted[at], sorted[end]]
    ranges.push(first === last ? `${first}` : `${first}-${last}`)
    at = end + 1
  }
  return ranges.join(',')
}
