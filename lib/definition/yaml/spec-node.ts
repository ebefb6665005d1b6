/**
 * A YAML value with its position in the text. Aliases and merge keys are resolved, tags are removed, keys are texts.
 * `at` is an offset in the text, from 0; at `end` it is over, blanks and a line break behind it included in blocks.
 */
export type SpecNode = SpecScalar | SpecList | SpecMap

export interface SpecScalar {
  readonly kind: 'scalar'
  readonly at: number
  readonly end: number
  readonly value: string | number | boolean | null
  /** As written, so that `1.50` and `0x1F` can be used as texts. */
  readonly text: string
}

export interface SpecList {
  readonly kind: 'list'
  readonly at: number
  readonly end: number
  readonly items: readonly SpecNode[]
}

export interface SpecMap {
  readonly kind: 'map'
  readonly at: number
  readonly end: number
  /** In the order of the text. */
  readonly entries: ReadonlyMap<string, SpecEntry>
}

export interface SpecEntry {
  /** As written; the key in the map may be its canonical spelling. */
  readonly key: string
  readonly at: number
  readonly value: SpecNode
}

export type SpecPath = readonly (string | number)[]

/** Follows a path as far as it exists. */
export function nodeAt(root: SpecNode, path: SpecPath): SpecNode | undefined {
  let node: SpecNode | undefined = root
  for (const key of path) {
    if (node?.kind === 'map') node = node.entries.get(String(key))?.value
    else if (node?.kind === 'list') node = node.items[Number(key)]
    else return undefined
  }
  return node
}

/** The value as JSON: numbers as written where JSON allows it, maps in the order of the text. */
export function jsonOf(node: SpecNode): string {
  if (node.kind === 'list') return `[${node.items.map(jsonOf).join(',')}]`
  if (node.kind === 'map') {
    const members = [...node.entries].map(([key, { value }]) => `${JSON.stringify(key)}:${jsonOf(value)}`)
    return `{${members.join(',')}}`
  }
  const isNumber =
    typeof node.value === 'number' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(node.text)
  return isNumber ? node.text : JSON.stringify(node.value)
}

/** The scalar as text, as written; empty for null; `True` is `true`; JSON for lists and maps. */
export function textOf(node: SpecNode): string {
  if (node.kind !== 'scalar') return jsonOf(node)
  if (typeof node.value === 'boolean') return String(node.value)
  return node.value === null ? '' : node.text
}
