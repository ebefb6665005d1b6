import type { Mention } from '#lib/definition/definition.ts'
import type { Faults } from './faults.ts'
import { nodeAt, textOf, type SpecNode, type SpecPath } from '#lib/definition/yaml/spec-node.ts'

/** A position in a document, which can report faults about itself. */
export class Position {
  readonly #document: DocumentPosition
  readonly #path: SpecPath
  readonly #replaced: Replaced | undefined

  constructor(document: DocumentPosition, path: SpecPath = [], replaced?: Replaced) {
    this.#document = document
    this.#path = path
    this.#replaced = replaced
  }

  at(...keys: (string | number)[]): Position {
    return new Position(this.#document, [...this.#path, ...keys], this.#replaced)
  }

  /** The same position with another node: its own, with keys in canonical spelling. */
  over(node: SpecNode): Position {
    return new Position(this.#document, this.#path, { path: this.#path, node, outer: this.#replaced })
  }

  get node(): SpecNode | undefined {
    return this.#find(this.#path)
  }

  /** Whether the file has a value here; an empty entry counts as none. */
  get isGiven(): boolean {
    const { node } = this
    return node !== undefined && !(node.kind === 'scalar' && node.value === null)
  }

  /** The value as text, as written. */
  get text(): string {
    const { node } = this
    return node === undefined ? '' : textOf(node)
  }

  /** The values of a list; a single value counts as a list of one. */
  items(): Position[] {
    const { node } = this
    if (node === undefined) return []
    return node.kind === 'list' ? node.items.map((_, index) => this.at(index)) : [this]
  }

  /** The entries of a map; empty for anything else. */
  entries(): [string, Position][] {
    const { node } = this
    return node?.kind === 'map' ? [...node.entries.keys()].map((key) => [key, this.at(key)]) : []
  }

  /** @param sentence continues the name of the position: "must be …" */
  fault(sentence: string): void {
    const { at, end } = this.#marked()
    this.#document.faults.add(at, () => `${this.#label()} ${sentence}`, end)
  }

  /** @param sentence continues the name of the position, as for {@link fault} */
  warn(sentence: string): void {
    const { at, end } = this.#marked()
    this.#document.faults.warn(at, () => `${this.#label()} ${sentence}`, end)
  }

  /** Notes that the file names something outside of it here. */
  mention(kind: Mention['kind'], name: string): void {
    this.#document.faults.mention(this.#nearest().at, kind, name)
  }

  /** Reports a fault of a key of a map. @param sentence follows the name of the map and a colon */
  faultOfKey(sentence: () => string, at: number): void {
    this.#document.faults.add(at, () => this.#ofKey(sentence))
  }

  /** Warns about a key of a map, as {@link faultOfKey} reports a fault. */
  warnOfKey(sentence: () => string, at: number): void {
    this.#document.faults.warn(at, () => this.#ofKey(sentence))
  }

  #ofKey(sentence: () => string): string {
    const label = this.#path.length === 0 ? this.#document.owner : this.#label()
    return label === '' ? sentence() : `${label}: ${sentence()}`
  }

  #find(path: SpecPath): SpecNode | undefined {
    for (let one = this.#replaced; one !== undefined; one = one.outer) {
      const { path: start, node } = one
      if (path.length >= start.length && start.every((key, index) => key === path[index])) {
        return nodeAt(node, path.slice(start.length))
      }
    }
    return nodeAt(this.#document.root, path)
  }

  /** Of lists and maps only where they begin: what is missing in one is not a fault of each of its lines. */
  #marked(): { readonly at: number; readonly end: number | undefined } {
    const { kind, at, end } = this.#nearest()
    return { at, end: kind === 'scalar' ? end : undefined }
  }

  /** The node, or the innermost existing one around it. */
  #nearest(): SpecNode {
    for (let length = this.#path.length; length > 0; length--) {
      const node = this.#find(this.#path.slice(0, length))
      if (node !== undefined) return node
    }
    return this.#find([]) ?? this.#document.root
  }

  #label(): string {
    const { owner } = this.#document
    const step = this.#step()
    const names = [owner, step.label, this.#keys(step.length)].filter((name) => name !== '')
    return names.length === 0 ? 'the file' : names.join(': ')
  }

  /** The part of the path that leads to a step, and the label of the step: its name, otherwise its position from 1. */
  #step(): { readonly length: number; readonly label: string } {
    const path = this.#path
    if (path[0] !== 'steps' || path.length < 2) return { length: 0, label: '' }
    if (typeof path[1] === 'string') return { length: 2, label: `step ${JSON.stringify(path[1])}` }
    const length = typeof path[2] === 'number' ? 3 : 2
    const name = this.#find([...path.slice(0, length), 'name'])
    if (name?.kind === 'scalar' && typeof name.value === 'string') {
      return { length, label: `step ${JSON.stringify(name.value.slice(0, 60))}` }
    }
    const position = path.slice(1, length).map((position) => Number(position) + 1)
    return { length, label: `step ${position.join('.')}` }
  }

  /** The rest of the path, with keys as the author spells them: `retryPolicy.limit`, `params[0]`. */
  #keys(from: number): string {
    let label = ''
    for (let length = from + 1; length <= this.#path.length; length++) {
      const key = this.#path[length - 1] ?? ''
      const parent = this.#find(this.#path.slice(0, length - 1))
      if (parent?.kind === 'list') label += `[${key}]`
      else {
        const spelled = parent?.kind === 'map' ? (parent.entries.get(String(key))?.key ?? key) : key
        label += `${label === '' ? '' : '.'}${String(spelled).slice(0, 60)}`
      }
    }
    return label
  }
}

/** A node that replaces the document's own at a path, and the replacements further out. */
interface Replaced {
  readonly path: SpecPath
  readonly node: SpecNode
  readonly outer: Replaced | undefined
}

/** What all positions of a document share. */
export interface DocumentPosition {
  readonly root: SpecNode
  readonly faults: Faults
  /** `DAG "x"` for a local DAG; empty for the first document. */
  readonly owner: string
}
