import type { SpecNode } from '#lib/definition/yaml/spec-node.ts'

/** A YAML value as JavaScript has it; the objects have no prototype. */
export type Plain = string | number | boolean | null | Plain[] | PlainMap
export interface PlainMap {
  readonly [key: string]: Plain | undefined
}

export function plainValue(node: SpecNode): Plain {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plainValue)
  const map: Record<string, Plain> = Object.create(null) as Record<string, Plain>
  for (const [key, { value }] of node.entries) map[key] = plainValue(value)
  return map
}

const isMap = (value: Plain | undefined): value is PlainMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value as a map; anything else is an empty one. */
export const mapOf = (value: Plain | undefined): PlainMap => (isMap(value) ? value : {})

/** The value as a list; a single value is a list of one. */
export const listOf = (value: Plain | undefined): readonly Plain[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

/** The value as a text; lists and maps have none. */
export const textOf = (value: Plain | undefined): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : String(value)
