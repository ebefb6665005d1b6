/** The params of a DAG, as the service describes them. */
export interface ParamsOfDag {
  /** Params with a default, in the order of the file; those without a name have a position. */
  readonly paramDefs: readonly {
    readonly name?: string
    readonly position?: number
    readonly default: string
  }[]
  /** JSON Schema of all of them. */
  readonly paramsSchema?: Readonly<Record<string, unknown>>
}

/** A field of the form that starts a run. */
export interface ParamField {
  /** The name of the param; `1`, `2` … for positional ones. */
  readonly name: string
  /** The default as written; undefined: it has none. */
  readonly value: string | undefined
  readonly kind: 'text' | 'lines' | 'number' | 'flag' | 'choice'
  readonly choices: readonly string[]
  readonly isRequired: boolean
  readonly description: string
  readonly bounds: ParamBounds
}

export interface ParamBounds {
  readonly isWhole: boolean
  readonly min: number | undefined
  readonly max: number | undefined
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  readonly pattern: string | undefined
}

type Schema = Readonly<Record<string, unknown>>

/** A field per param: positional ones first, then those of the schema. */
export function paramFields({ paramDefs, paramsSchema = {} }: ParamsOfDag): ParamField[] {
  const properties = recordOf(paramsSchema['properties'])
  const required: readonly unknown[] = listOf(paramsSchema['required'])
  const defaults = new Map(
    paramDefs.map((param) => [param.name ?? String(param.position ?? 0), param.default]),
  )
  const plain = [...defaults.keys()].filter((name) => !Object.hasOwn(properties, name))
  return [...plain, ...Object.keys(properties)].map((name) => {
    const schema = recordOf(properties[name])
    const value = defaults.get(name) ?? textOf(schema['default'])
    return fieldOf(name, schema, value, required.includes(name))
  })
}

function fieldOf(name: string, schema: Schema, value: string | undefined, isRequired: boolean): ParamField {
  const kind = kindOf(schema, value, isRequired)
  const given = listOf(schema['enum']).flatMap((one) => textOf(one) ?? [])
  const choices = given.length === 0 && kind === 'choice' ? ['true', 'false'] : given
  const canBeAbsent = value === undefined || (kind === 'choice' && !choices.includes(value))
  return {
    name,
    value,
    kind,
    choices: kind === 'choice' && canBeAbsent ? [value ?? '', ...choices] : choices,
    isRequired,
    description: [textOf(schema['title']), textOf(schema['description'])].filter(Boolean).join(': '),
    bounds: boundsOf(schema),
  }
}

/** A default that is computed at the start, such as `$COUNT`, is a text field whatever its value. */
function kindOf(schema: Schema, value: string | undefined, isRequired: boolean): ParamField['kind'] {
  const { type } = schema
  if (Array.isArray(schema['enum'])) return 'choice'
  if (type === 'boolean' && (value === 'true' || value === 'false')) return 'flag'
  if (type === 'boolean' && value === undefined) return isRequired ? 'flag' : 'choice'
  const isNumeric = value === undefined || (value.trim() !== '' && Number.isFinite(Number(value)))
  if ((type === 'integer' || type === 'number') && isNumeric) return 'number'
  return value?.includes('\n') === true ? 'lines' : 'text'
}

function boundsOf(schema: Schema): ParamBounds {
  const number = (key: string): number | undefined => {
    const value = schema[key]
    return typeof value === 'number' ? value : undefined
  }
  const { type, pattern } = schema
  return {
    isWhole: type === 'integer',
    min: number('minimum'),
    max: number('maximum'),
    minLength: number('minLength'),
    maxLength: number('maxLength'),
    pattern: typeof pattern === 'string' ? pattern : undefined,
  }
}

/** The constraints on a value, in a line; empty if there are none. */
export function boundsText({ bounds, kind }: ParamField): string {
  const { isWhole, min, max, minLength, maxLength, pattern } = bounds
  const range = (low: number | undefined, high: number | undefined): string => {
    if (low !== undefined && high !== undefined) return `${low} to ${high}`
    if (low !== undefined) return `from ${low}`
    return high === undefined ? '' : `up to ${high}`
  }
  const length = range(minLength, maxLength)
  return [
    kind === 'number' && isWhole ? 'a whole number' : '',
    range(min, max),
    length === '' ? '' : `${length} characters`,
    pattern === undefined ? '' : `fits ${pattern}`,
  ]
    .filter((text) => text !== '')
    .join(', ')
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function recordOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}
}

/** A value of a schema as text; undefined: there is none. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
