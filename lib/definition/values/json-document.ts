import { limits } from '#lib/core/limits.ts'
import { RecentlyUsed } from '#lib/core/recently-used.ts'
import type { Effort } from './effort.ts'
import type { PathStep } from './json-path.ts'
import { elementAt, elementsOf, type JsonSpan, memberNamed, membersOf, readJson } from './json-text.ts'

/** Members and elements that are indexed per document. What is larger is searched each time. */
const indexedMax = 200_000

/** A JSON text to which references lead. Its index makes the time for many of them linear. */
class JsonDocument {
  readonly root: JsonSpan | undefined
  /** By where an object or an array begins; undefined: it has too many members. */
  readonly #children = new Map<number, ReadonlyMap<PathStep, JsonSpan> | undefined>()
  #room = indexedMax

  constructor(text: string) {
    this.root = readJson(text)
  }

  /** The member of an object, or the element of an array. Of a repeated key, the last one counts. */
  child(parent: JsonSpan, step: PathStep, effort: Effort): JsonSpan | undefined {
    const { start, end } = parent
    if (!this.#children.has(start)) {
      effort.spend(end - start)
      this.#children.set(start, this.#index(parent))
    }
    const children = this.#children.get(start)
    if (children !== undefined)
      return children.get(typeof step === 'number' && step < 0 ? children.size + step : step)
    effort.spend(end - start)
    return find(parent, step)
  }

  #index(parent: JsonSpan): ReadonlyMap<PathStep, JsonSpan> | undefined {
    const children = new Map<PathStep, JsonSpan>()
    let count = 0
    for (const [key, child] of childrenOf(parent)) {
      children.set(key, child)
      // Repeated keys count as often as they occur.
      if (++count > this.#room) return undefined
    }
    this.#room -= count
    return children
  }
}

const read = new RecentlyUsed<JsonDocument>(limits.valueLengthMax)

/**
 * Follows a path into a JSON text.
 * @returns undefined when the text is not JSON; `found` is undefined when the path leads nowhere
 */
export function lookUpPath(
  text: string,
  steps: readonly PathStep[],
  effort: Effort,
): { readonly found: JsonSpan | undefined } | undefined {
  let document = read.get(text)
  if (document === undefined) {
    effort.spend(text.length)
    document = new JsonDocument(text)
    read.set(text, document, text.length)
  }
  if (document.root === undefined) return undefined
  let found: JsonSpan | undefined = document.root
  for (const step of steps) {
    if (found === undefined) break
    found = document.child(found, step, effort)
  }
  return { found }
}

function* childrenOf(parent: JsonSpan): Generator<readonly [PathStep, JsonSpan]> {
  yield* membersOf(parent)
  let index = 0
  for (const element of elementsOf(parent)) yield [index++, element]
}

function find(parent: JsonSpan, step: PathStep): JsonSpan | undefined {
  return typeof step === 'number' ? elementAt(parent, step) : memberNamed(parent, step)
}
