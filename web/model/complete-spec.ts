import { schemaPartAt } from './config-schema.ts'
import { alternativesAt, fieldAt, fieldsOf, wordsOf, type SpecField, type SpecSchema } from './spec-schema.ts'
import { variablesAt } from './offered-variables.ts'
import { otherStepNames } from './step-names.ts'
import { yamlPositionAt, type YamlPath, type YamlPosition } from './yaml-path.ts'

/** A completion at the cursor. */
export interface Offer {
  readonly label: string
  readonly insert: string
  readonly about: string
  readonly kind: 'field' | 'word' | 'step' | 'dag' | 'variable'
}

export interface Offers {
  /** Offset of the start of the text that the completion replaces. */
  readonly from: number
  readonly offers: readonly Offer[]
}

interface Known {
  readonly schema: SpecSchema
  /** DAGs that a step may call. */
  readonly dags: readonly string[]
}

/** The completions at a cursor, even in a text that is not valid YAML yet. */
export function offersAt(text: string, offset: number, { schema, dags }: Known): Offers | undefined {
  const variables = variablesAt(text, offset)
  if (variables !== undefined) {
    const offers = variables.offers.map((one): Offer => ({ ...one, kind: 'variable' }))
    return offers.length === 0 ? undefined : { from: variables.from, offers }
  }
  const position = yamlPositionAt(text, offset)
  if (position === undefined) return undefined
  const part = schemaPartAt(text, offset, { schema, path: position.path })
  const alternatives = alternativesAt(part.schema, part.path)
  const offers: Offer[] = []
  if (position.at !== 'value')
    offers.push(...keyOffers(text, offset, position, fieldsOf(part.schema, alternatives)))
  if (position.at !== 'key') {
    const about = fieldAt(part.schema, part.path)?.about ?? ''
    const words = [...alternatives, ...(position.at === 'value' ? itemsOf(position, alternatives) : [])]
    offers.push(...wordsOf(words).map((label): Offer => ({ label, insert: label, about, kind: 'word' })))
    offers.push(...nameOffers(text, offset, position.path, dags))
  }
  return offers.length === 0 ? undefined : { from: position.from, offers }
}

/** The field under a cursor: the key that it is in, or whose value it is in. */
export function fieldUnder(text: string, offset: number, schema: SpecSchema): SpecField | undefined {
  const position = yamlPositionAt(text, offset)
  if (position === undefined) return undefined
  const { at, typed } = position
  const part = schemaPartAt(text, offset, { schema, path: position.path })
  const { path } = part
  if (at === 'value') return fieldAt(part.schema, path) ?? fieldAt(schema, position.path)
  const rest = /^[\w$.-]*/.exec(text.slice(offset))?.[0] ?? ''
  const key = typed + rest
  return (key === '' ? undefined : exact(part.schema, [...path, key])) ?? fieldAt(schema, position.path)
}

function exact(schema: SpecSchema, path: YamlPath): SpecField | undefined {
  const key = String(path.at(-1)).toLowerCase()
  const field = fieldAt(schema, path)
  return field?.name.toLowerCase() === key ? field : undefined
}

function keyOffers(
  text: string,
  offset: number,
  { present, column }: YamlPosition,
  fields: readonly SpecField[],
): Offer[] {
  const taken = new Set(present.map((key) => key.toLowerCase()))
  const hasColon = /^[\w$.-]*\s*:/.test(text.slice(offset))
  return fields
    .filter(({ name, isDeprecated }) => !isDeprecated && !taken.has(name.toLowerCase()))
    .map((field) => {
      const insert = hasColon ? field.name : `${field.name}:${openingOf(field, column)}`
      return { label: field.name, insert, about: field.about, kind: 'field' as const }
    })
}

/** The text to insert after the colon: a value on the same line, or the first line of a list or map. */
function openingOf({ alternatives }: SpecField, column: number): string {
  const isBlock = alternatives.every(({ type }) => type === 'array' || type === 'object')
  if (!isBlock || alternatives.length === 0) return ' '
  const indent = ' '.repeat(column + 2)
  return alternatives[0]?.type === 'array' ? `\n${indent}- ` : `\n${indent}`
}

/** A bracketed list that is about to be opened accepts what its items accept. */
const itemsOf = ({ typed }: YamlPosition, alternatives: readonly SpecSchema[]): SpecSchema[] =>
  typed.startsWith('[') ? alternatives.flatMap(({ items }) => items ?? []) : []

const waits = new Set(['depends', 'dependson'])
const calls = new Set(['call', 'run'])

/** Names of steps where one waits for others, and of DAGs where one is called. */
function nameOffers(text: string, offset: number, path: YamlPath, dags: readonly string[]): Offer[] {
  const key = (path.findLast((one) => typeof one === 'string') ?? '').toLowerCase()
  if (path[0] !== 'steps' || path.length < 3) return []
  const lines = text.split('\n')
  const number = text.slice(0, offset).split('\n').length - 1
  const offer = (kind: Offer['kind']) => (name: string) => ({
    label: name,
    insert: quoted(name),
    about: '',
    kind,
  })
  if (waits.has(key)) return otherStepNames(lines, number).map(offer('step'))
  if (!calls.has(key)) return []
  return [...new Set([...localDags(lines), ...dags])].map(offer('dag'))
}

/** The DAGs that the other documents of the text define. */
const localDags = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /^name:\s*["']?([\w.-]+)/.exec(line)?.[1] ?? []).slice(0, 100)

/** A name as a YAML string. */
const quoted = (name: string): string =>
  /^[A-Za-z_][\w ./-]*$/.test(name) && !/^(true|false|null|yes|no|on|off)$/i.test(name) && !name.endsWith(' ')
    ? name
    : JSON.stringify(name)
