import type { KeyNames } from '#lib/definition/schema/words.ts'

/** What a schema fixes: the names of keys, and the words of a choice. */
export interface Form {
  /** For a map. */
  readonly map?: FixedKeys | FreeKeys
  /** For the items of a list. */
  readonly item?: Form
  /** The words of a choice, by their lower-case spelling. */
  readonly words?: ReadonlyMap<string, string>
}

export interface FreeKeys {
  readonly kind: 'free'
  readonly value: Form
}

export interface FixedKeys {
  readonly kind: 'fixed'
  /** The thing with its article: "a step". */
  readonly what: string
  /** Other keys are kept as they are. */
  readonly isOpen: boolean
  /** By normal spelling. */
  readonly fields: ReadonlyMap<string, { readonly name: string; readonly form: Form }>
  /** By normal spelling: why not, or nothing. */
  readonly notOffered: ReadonlyMap<string, string>
  /** What an unknown key may have been meant to be. */
  readonly known: readonly string[]
}

/** A valibot schema, as far as its form goes; each kind of schema has some of these. */
interface SchemaData {
  readonly type: string
  readonly wrapped?: SchemaData
  readonly options?: readonly (SchemaData | string)[]
  readonly item?: SchemaData
  readonly value?: SchemaData
  readonly entries?: Readonly<Record<string, SchemaData>>
  readonly pipe?: readonly {
    readonly type: string
    readonly metadata?: KeyNames & { readonly what?: string }
  }[]
}

const forms = new WeakMap<object, Form>()

/** Keys are the same in any case, and with underscores between their words. */
export function normalKey(key: string): string {
  return key.replaceAll('_', '').toLowerCase()
}

/** The form of a valibot schema; worked out once. */
export function formOf(schema: object): Form {
  let form = forms.get(schema)
  if (form === undefined) {
    // Schemas are plain data; which members one has follows from its type.
    form = readForm(schema as SchemaData)
    forms.set(schema, form)
  }
  return form
}

function readForm(schema: SchemaData): Form {
  if (schema.wrapped !== undefined) return formOf(schema.wrapped)
  switch (schema.type) {
    case 'union':
      return unite((schema.options ?? []).map((option) => (typeof option === 'string' ? {} : formOf(option))))
    case 'picklist':
      return { words: new Map(choicesOf(schema).map((word) => [word.toLowerCase(), word])) }
    case 'array':
      return schema.item === undefined ? {} : { item: formOf(schema.item) }
    case 'record':
      return { map: { kind: 'free', value: schema.value === undefined ? {} : formOf(schema.value) } }
    case 'strict_object':
    case 'loose_object':
      return { map: fixedKeys(schema) }
    default:
      return {}
  }
}

const choicesOf = ({ options = [] }: SchemaData): string[] =>
  options.filter((word) => typeof word === 'string')

/**
 * In a union at most one option takes maps and one takes lists, so a fault is reported for one of them.
 */
function unite(options: readonly Form[]): Form {
  const map = options.find((form) => form.map !== undefined)?.map
  const item = options.find((form) => form.item !== undefined)?.item
  const words = options.find((form) => form.words !== undefined)?.words
  return { ...(map && { map }), ...(item && { item }), ...(words && { words }) }
}

function fixedKeys(schema: SchemaData): FixedKeys {
  const {
    what = 'this map',
    older = {},
    notOffered = {},
  } = Object.assign({}, ...(schema.pipe ?? []).map(({ metadata }) => metadata)) as KeyNames & {
    readonly what?: string
  }
  const entries = schema.entries ?? {}
  const fields = new Map<string, { name: string; form: Form }>()
  for (const [name, value] of Object.entries(entries)) {
    fields.set(normalKey(name), { name, form: formOf(value) })
  }
  for (const [spelling, name] of Object.entries(older)) {
    const field = fields.get(normalKey(name))
    if (field !== undefined) fields.set(normalKey(spelling), field)
  }
  return {
    kind: 'fixed',
    what,
    isOpen: schema.type === 'loose_object',
    fields,
    notOffered: new Map(Object.entries(notOffered).map(([key, why]) => [normalKey(key), why])),
    known: [...Object.keys(entries), ...Object.keys(older)],
  }
}
