import { jsonOf, textOf, type SpecMap, type SpecNode } from '#lib/definition/yaml/spec-node.ts'

/** Keys of a typed param that are keywords of JSON Schema, by their spelling there. */
const keywords: ReadonlyMap<string, string> = new Map([
  ['type', 'type'],
  ['description', 'description'],
  ['title', 'title'],
  ['enum', 'enum'],
  ['choices', 'enum'],
  ['options', 'enum'],
  ['pattern', 'pattern'],
  ['minimum', 'minimum'],
  ['min', 'minimum'],
  ['maximum', 'maximum'],
  ['max', 'maximum'],
  ['minlength', 'minLength'],
  ['maxlength', 'maxLength'],
])

const spell = (key: string): string => key.replaceAll('_', '').toLowerCase()
const isKnown = (key: string): boolean =>
  keywords.has(spell(key)) || ['name', 'default', 'required'].includes(spell(key))

/**
 * Whether an item of `params` describes a param (`{name: SIZE, type: integer, default: 3}`) instead of giving values by
 * name. A map with nothing but `name` gives a value to a param of that name.
 */
export function isTypedParam(node: SpecNode | undefined): node is SpecMap {
  if (node?.kind !== 'map' || node.entries.size < 2) return false
  const name = node.entries.get('name')?.value
  return name?.kind === 'scalar' && [...node.entries.keys()].every(isKnown)
}

export interface TypedParam {
  readonly name: string
  /** Undefined: a caller must give it, or it is absent. */
  readonly fallback: string | undefined
  readonly isRequired: boolean
  /** Its JSON Schema, as JSON. */
  readonly schema: string
}

/** Reads a description of a param. */
export function readTypedParam({ entries }: SpecMap): TypedParam {
  const found = new Map([...entries].map(([key, { value }]) => [spell(key), value]))
  const members = [...found].flatMap(([key, value]) => {
    const keyword = keywords.get(key)
    return keyword === undefined ? [] : [`${JSON.stringify(keyword)}:${schemaJson(keyword, value)}`]
  })
  const fallback = found.get('default')
  const required = found.get('required')
  const name = found.get('name')
  return {
    name: name === undefined ? '' : textOf(name),
    fallback: fallback === undefined || isNull(fallback) ? undefined : textOf(fallback),
    isRequired: required?.kind === 'scalar' && required.value === true,
    schema: `{${members.join(',')}}`,
  }
}

const isNull = (node: SpecNode): boolean => node.kind === 'scalar' && node.value === null

const otherNames: Readonly<Record<string, string>> = {
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  text: 'string',
}

function schemaJson(keyword: string, node: SpecNode): string {
  if (keyword !== 'type' || node.kind !== 'scalar') return jsonOf(node)
  return JSON.stringify(otherNames[node.text] ?? node.text)
}
