/** The part of a JSON Schema that the reference shows. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Described {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly 'x-access'?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>
}

/** A parameter of an operation, as OpenAPI writes it. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

export interface Operation extends Described {
  readonly method: string
  readonly path: string
}

/** The operations of a document in its order, grouped by their first tag. */
export function operationsByTag({ paths }: OpenApi): readonly (readonly [string, readonly Operation[]])[] {
  const groups = new Map<string, Operation[]>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(methods)) {
      const tag = described.tags?.[0] ?? 'other'
      groups.set(tag, [...(groups.get(tag) ?? []), { ...described, method: method.toUpperCase(), path }])
    }
  }
  return [...groups]
}

/** Whether every word occurs in the id, method, path or summary. */
export function matchesWords({ operationId, method, path, summary = '' }: Operation, text: string): boolean {
  const all = `${operationId} ${method} ${path} ${summary}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

/** The schema of a body in JSON, or else its media type. */
export function bodyOf(
  content: Content | undefined,
): { readonly type: string; readonly schema: Schema } | undefined {
  const [first] = Object.entries(content?.content ?? {})
  return first === undefined ? undefined : { type: first[0], schema: first[1].schema ?? {} }
}

/** A field of a schema, one line of its table. */
export interface SchemaLine {
  readonly depth: number
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly about: string
}

const depthMax = 4

/** The fields of a schema, nested down to four levels; a recursive component is only named. */
export function schemaLines(schema: Schema, document: OpenApi): readonly SchemaLine[] {
  const lines: SchemaLine[] = []
  const walk = (given: Schema, depth: number, seen: readonly string[]): void => {
    const [target, names] = resolve(given, document, seen)
    if (target === undefined || depth > depthMax) return
    for (const part of [target, ...(target.anyOf ?? [])]) {
      if (part.items !== undefined) walk(part.items, depth, names)
      for (const [name, field] of Object.entries(part.properties ?? {})) {
        lines.push({
          depth,
          name,
          type: typeOf(field),
          isRequired: part.required?.includes(name) === true,
          about: field.description ?? resolve(field, document, [])[0]?.description ?? '',
        })
        walk(field, depth + 1, names)
      }
    }
  }
  walk(schema, 0, [])
  return lines
}

function resolve(
  schema: Schema,
  { components }: OpenApi,
  seen: readonly string[],
): readonly [Schema | undefined, readonly string[]] {
  const name = nameOf(schema)
  if (name === undefined) return [schema, seen]
  return seen.includes(name) ? [undefined, seen] : [components?.schemas?.[name], [...seen, name]]
}

const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1)

/** `string`, `integer or string`, `list of DagRun`, `"a" | "b"`. */
export function typeOf(schema: Schema): string {
  const name = nameOf(schema)
  if (name !== undefined) return name
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  if (schema.anyOf !== undefined) {
    return [...new Set(schema.anyOf.map((one) => typeOf(one)))].join(' or ')
  }
  if (schema.type === 'array') return schema.items === undefined ? 'list' : `list of ${typeOf(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' or ')
}

/** The path of a call below the API, from the fields of the form. Empty fields are left out. */
export function callUrl(operation: Operation, values: Readonly<Record<string, string>>): string {
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )
  const query = new URLSearchParams(
    (operation.parameters ?? [])
      .filter((one) => one.in === 'query' && (values[one.name] ?? '') !== '')
      .map((one) => [one.name, values[one.name] ?? '']),
  ).toString()
  return `api/v2${filled}${query === '' ? '' : `?${query}`}`
}
