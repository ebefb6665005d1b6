import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Pair, type Scalar } from 'yaml'
import { limits } from '#lib/core/limits.ts'
import type { Faults } from '#lib/definition/reading/faults.ts'
import { plainScalar } from './plain-scalar.ts'
import type { SpecEntry, SpecMap, SpecNode, SpecScalar } from './spec-node.ts'

const tagPrefix = 'tag:yaml.org,2002:'
/** Explicit tags that are accepted: they only state what a value is anyway. No tag ever constructs anything. */
const scalarTags = new Set(['null', 'bool', 'int', 'float'].map((name) => tagPrefix + name))
const collectionTags = new Set(['map', 'seq'].map((name) => tagPrefix + name))

/** Converts nodes of the YAML parser to nodes of a spec. Errors are added to the faults. */
export function loadNode(node: unknown, faults: Faults): SpecNode {
  return new Loader(faults).load(node, 0)
}

const empty = (at: number): SpecScalar => ({ kind: 'scalar', at, end: at, value: null, text: '' })

interface Anchored {
  readonly node: SpecNode
  readonly nodes: number
  readonly length: number
}

class Loader {
  readonly #faults: Faults
  /** Anchors of complete nodes. An alias inside its own anchor is therefore unresolved. */
  readonly #anchors = new Map<string, Anchored>()
  #nodes = 0
  /** Total length of all texts, in characters. */
  #length = 0

  constructor(faults: Faults) {
    this.#faults = faults
  }

  load(node: unknown, at: number): SpecNode {
    if (isAlias(node)) return this.#follow(node)
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return empty(at)
    const [nodes, length] = [this.#nodes, this.#length]
    this.#nodes += 1
    const loaded = isScalar(node) ? this.#scalar(node, at) : this.#collection(node, at)
    if (node.anchor !== undefined) {
      const size = { nodes: this.#nodes - nodes, length: this.#length - length }
      this.#anchors.set(node.anchor, { node: loaded, ...size })
    }
    return loaded
  }

  #follow(alias: Alias): SpecNode {
    const at = offsetOf(alias, 0)
    const target = this.#anchors.get(alias.source)
    if (target === undefined) {
      this.#faults.add(at, `the alias *${alias.source} has no anchor &${alias.source} before it`)
      return empty(at)
    }
    this.#nodes += target.nodes
    this.#length += target.length
    if (this.#nodes > limits.specNodesMax || this.#length > limits.specExpandedLengthMax) {
      const most = `${limits.specNodesMax} values and ${limits.specExpandedLengthMax} characters`
      this.#faults.add(at, `a DAG file has at most ${most}, aliases included`)
      return empty(at)
    }
    return target.node
  }

  #scalar(node: Scalar, before: number): SpecNode {
    const at = offsetOf(node, before)
    const end = endOf(node, at)
    const isPlain = node.type === 'PLAIN' || node.type === undefined
    const text = isPlain ? withoutTabs(node.source ?? '') : (node.source ?? '')
    this.#length += text.length
    if (text.includes('\0')) this.#faults.add(at, 'a text must not hold NUL characters')
    if (!text.isWellFormed()) this.#faults.add(at, 'a text must not hold half of a surrogate pair')
    const { tag } = node
    if (tag === undefined) return { kind: 'scalar', at, end, value: isPlain ? plainScalar(text) : text, text }
    if (tag === '!' || tag === `${tagPrefix}str`) return { kind: 'scalar', at, end, value: text, text }
    const value = plainScalar(text)
    if (!scalarTags.has(tag)) this.#refuseTag(tag, at)
    else if (typeof value === 'string') this.#faults.add(at, `the text is not of its type ${tagName(tag)}`)
    return { kind: 'scalar', at, end, value, text }
  }

  #collection(node: Node, before: number): SpecNode {
    const at = offsetOf(node, before)
    if (node.tag !== undefined && !collectionTags.has(node.tag)) this.#refuseTag(node.tag, at)
    const end = endOf(node, at)
    if (isMap(node)) return this.#map(node.items, at, end)
    const items = isSeq(node) ? node.items.map((item) => this.load(item, at)) : []
    return { kind: 'list', at, end, items }
  }

  #map(pairs: readonly Pair[], at: number, end: number): SpecMap {
    const entries = new Map<string, SpecEntry>()
    const merged: SpecNode[] = []
    for (const pair of pairs) {
      const key = this.load(pair.key, at)
      const value = this.load(pair.value, key.at)
      if (key.kind !== 'scalar') this.#faults.add(key.at, 'a key must be a text')
      else if (key.text === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN') merged.push(value)
      else if (entries.has(key.text)) {
        this.#faults.add(key.at, () => `the key ${JSON.stringify(key.text)} is given twice`)
      } else entries.set(key.text, { key: key.text, at: key.at, value })
    }
    for (const source of merged) this.#merge(source, entries)
    return { kind: 'map', at, end, entries }
  }

  /** `<<: *other`: own entries override merged ones. */
  #merge(source: SpecNode, entries: Map<string, SpecEntry>): void {
    const sources = source.kind === 'list' ? source.items : [source]
    for (const one of sources) {
      if (one.kind !== 'map') {
        this.#faults.add(one.at, 'what is merged with << must be a map')
        continue
      }
      for (const [key, entry] of one.entries) if (!entries.has(key)) entries.set(key, entry)
    }
  }

  #refuseTag(tag: string, at: number): void {
    this.#faults.add(at, () => `tags such as ${tagName(tag).slice(0, 60)} are not offered`)
  }
}

/**
 * The peer's parser drops tabs in unquoted texts, and existing files rely on that. Tabs in quotes or blocks are kept.
 */
function withoutTabs(source: string): string {
  return source.includes('\t') ? source.replaceAll('\t', '') : source
}

function tagName(tag: string): string {
  return tag.startsWith(tagPrefix) ? `!!${tag.slice(tagPrefix.length)}` : tag
}

function offsetOf(node: Node, before: number): number {
  return node.range?.[0] ?? before
}

function endOf(node: Node, at: number): number {
  return node.range?.[1] ?? at
}
