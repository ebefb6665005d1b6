import type { YamlPath } from './yaml-path.ts'

/** A part of `/dag-schema.json`, as far as the editor reads it. */
export interface SpecSchema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, SpecSchema>>
  readonly type?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly enum?: readonly unknown[]
  /** Suggested words among others. */
  readonly examples?: readonly string[]
  readonly anyOf?: readonly SpecSchema[]
  readonly properties?: Readonly<Record<string, SpecSchema>>
  readonly additionalProperties?: SpecSchema | boolean
  readonly items?: SpecSchema
  /** Rules of the form: if a field has this value, another is of this schema. */
  readonly allOf?: readonly { readonly if?: SpecSchema; readonly then?: SpecSchema }[]
}

/** A field that a map may have. */
export interface SpecField {
  readonly name: string
  readonly about: string
  readonly isDeprecated: boolean
  /** What it takes, for people: `text or list`. */
  readonly takes: string
  readonly alternatives: readonly SpecSchema[]
}

/** The alternatives for the value at a path. */
export function alternativesAt(root: SpecSchema, path: YamlPath): readonly SpecSchema[] {
  let found = alternativesOf(root, root)
  for (const key of path) {
    found = found.flatMap((schema) => {
      const next = typeof key === 'number' ? schema.items : childOf(schema, key)
      return next === undefined ? [] : alternativesOf(root, next)
    })
  }
  return found
}

/** The fields of the maps among alternatives, each once. */
export function fieldsOf(root: SpecSchema, alternatives: readonly SpecSchema[]): SpecField[] {
  const fields = new Map<string, SpecField>()
  for (const { properties = {} } of alternatives) {
    for (const [name, schema] of Object.entries(properties)) {
      if (!fields.has(name)) fields.set(name, fieldOf(root, name, schema))
    }
  }
  return [...fields.values()]
}

/** The field that a path leads to; of a list item or a free key the field around it. */
export function fieldAt(root: SpecSchema, path: YamlPath): SpecField | undefined {
  for (let length = path.length; length > 0; length--) {
    const key = path[length - 1]
    if (typeof key !== 'string') continue
    const fields = fieldsOf(root, alternativesAt(root, path.slice(0, length - 1)))
    const found = fields.find(({ name }) => name.toLowerCase() === key.toLowerCase())
    if (found !== undefined) return found
  }
  return undefined
}

/** The allowed words of a value, if it is an enumeration. */
export const wordsOf = (alternatives: readonly SpecSchema[]): string[] => [
  ...new Set(
    alternatives.flatMap((schema) => {
      if (schema.enum !== undefined) return schema.enum.map(String)
      return schema.type === 'boolean' ? ['true', 'false'] : (schema.examples ?? [])
    }),
  ),
]

function alternativesOf(root: SpecSchema, schema: SpecSchema, depth = 0): readonly SpecSchema[] {
  if (depth > 8) return []
  if (schema.$ref !== undefined) {
    const target = root.$defs?.[schema.$ref.replace('#/$defs/', '')]
    return target === undefined ? [] : alternativesOf(root, target, depth + 1)
  }
  if (schema.anyOf === undefined) return [schema]
  return schema.anyOf.flatMap((one) => alternativesOf(root, one, depth + 1))
}

/** Keys are read in any case. */
function childOf({ properties = {}, additionalProperties }: SpecSchema, key: string): SpecSchema | undefined {
  const own = properties[key] ?? properties[spelled(properties, key)]
  if (own !== undefined) return own
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

const spelled = (properties: object, key: string): string =>
  Object.keys(properties).find((name) => name.toLowerCase() === key.toLowerCase()) ?? ''

function fieldOf(root: SpecSchema, name: string, schema: SpecSchema): SpecField {
  const alternatives = alternativesOf(root, schema)
  const about = schema.description ?? alternatives.find(({ description }) => description)?.description ?? ''
  const isDeprecated = schema.deprecated === true || about.startsWith('Alias of')
  const takes = [...new Set(alternatives.map(kindOf))].filter((kind) => kind !== '').join(' or ')
  return { name, about, isDeprecated, takes, alternatives }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  object: 'map',
}

function kindOf(schema: SpecSchema): string {
  if (schema.enum !== undefined) return schema.enum.map(String).join(', ')
  return kinds[schema.type ?? ''] ?? ''
}
