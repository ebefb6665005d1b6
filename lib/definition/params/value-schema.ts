import { readPattern } from '#lib/definition/values/pattern.ts'

/**
 * The part of JSON Schema (2020-12) that params need: types, enum, const, bounds, lengths, pattern, and objects and
 * arrays of these. Other keywords are refused when the file is read: a check that is silently left out is worse than
 * none.
 */
export type Schema = Readonly<Record<string, unknown>>

const annotations =
  '$schema $id $comment title description examples default format deprecated readOnly writeOnly'.split(' ')
const types = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']

const isNumber = (value: unknown): boolean => typeof value === 'number'
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0
const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
const isTypes = (value: unknown): boolean => typesOf(value).every((one) => types.includes(one))
const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value)

interface Keyword {
  readonly fits: (value: unknown) => boolean
  readonly wanted: string
}

const aNumber: Keyword = { fits: isNumber, wanted: 'a number' }
const aCount: Keyword = { fits: isCount, wanted: 'a whole number from 0 on' }
const aSchema: Keyword = { fits: isSchema, wanted: 'a schema' }

const keywords: ReadonlyMap<string, Keyword> = new Map([
  ['type', { fits: isTypes, wanted: `one of ${types.join(', ')}, or a list of these` }],
  ['enum', { fits: Array.isArray, wanted: 'a list' }],
  ['const', { fits: () => true, wanted: '' }],
  ['minimum', aNumber],
  ['maximum', aNumber],
  ['exclusiveMinimum', aNumber],
  ['exclusiveMaximum', aNumber],
  ['multipleOf', { fits: (value) => isNumber(value) && Number(value) > 0, wanted: 'a number above 0' }],
  ['minLength', aCount],
  ['maxLength', aCount],
  ['minItems', aCount],
  ['maxItems', aCount],
  ['pattern', { fits: (value) => typeof value === 'string', wanted: 'a pattern' }],
  ['required', { fits: isNames, wanted: 'a list of names' }],
  ['properties', { fits: isObject, wanted: 'a map of schemas' }],
  ['additionalProperties', aSchema],
  ['items', aSchema],
])

/** Faults of a schema itself, as sentences. `at` names it. */
export function schemaFaults(schema: unknown, at: string): string[] {
  if (typeof schema === 'boolean') return []
  if (!isObject(schema)) return [`${at}: must be a schema, a map of keywords`]
  return Object.entries(schema).flatMap(([name, value]) => {
    if (annotations.includes(name)) return []
    const keyword = keywords.get(name)
    if (keyword === undefined) return [`${at}: the keyword ${JSON.stringify(name)} is not offered`]
    if (!keyword.fits(value)) return [`${at}.${name}: must be ${keyword.wanted}`]
    return innerFaults(name, value, `${at}.${name}`)
  })
}

function innerFaults(name: string, value: unknown, at: string): string[] {
  if (name === 'items' || name === 'additionalProperties') return schemaFaults(value, at)
  if (name === 'properties' && isObject(value)) {
    return Object.entries(value).flatMap(([key, inner]) => schemaFaults(inner, `${at}.${key}`))
  }
  if (name !== 'pattern') return []
  const pattern = readPattern(String(value))
  return 'fault' in pattern ? [`${at}: ${pattern.fault}`] : []
}

/** Bounds the checks of all params of a run: a small schema can ask for much at each of thousands of values. */
export class CheckEffort {
  #left = effortMax
  #faults = 0

  /** @param steps of about ten nanoseconds */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new TooMuch('takes too long to be checked')
  }

  fault(): void {
    this.#faults += 1
    if (this.#faults > faultsMax) throw new TooMuch(`has more than ${faultsMax} faults`)
  }
}

const effortMax = 20_000_000
const faultsMax = 100
class TooMuch extends Error {}

/** Checks a text, read as a value of the type that the schema asks for. @returns sentences that begin with `at` */
export function checkText(schema: unknown, text: string, at: string, effort: CheckEffort): string[] {
  try {
    return checkReadings(schema, text, at, effort)
  } catch (error) {
    if (error instanceof TooMuch) return [`${at}: ${error.message}`]
    throw error
  }
}

function checkReadings(schema: unknown, text: string, at: string, effort: CheckEffort): string[] {
  if (!isObject(schema)) return check(schema, text, at, effort)
  const wanted = schema['type'] === undefined ? types : typesOf(schema['type'])
  const readings = wanted.flatMap((type) => readAs(type, text))
  if (readings.length === 0) return [`${at}: must be ${wanted.map(article).join(' or ')}, is ${show(text)}`]
  const faults = readings.map((value) => check(schema, value, at, effort))
  return faults.find((found) => found.length === 0) ?? faults[0] ?? []
}

/** A value of a schema (its default) as text. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

function typesOf(type: unknown): string[] {
  return Array.isArray(type) ? type.map(String) : [String(type)]
}

function article(type: string): string {
  return type === 'null' ? 'empty' : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

/** @returns nothing when the text is not a value of the type */
function readAs(type: string, text: string): unknown[] {
  const trimmed = text.trim()
  switch (type) {
    case 'string':
      return [text]
    case 'integer':
      return /^-?\d+(?:\.0+)?$/.test(trimmed) ? [Number(trimmed)] : []
    case 'number':
      return /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(trimmed) ? [Number(trimmed)] : []
    case 'boolean':
      return trimmed === 'true' || trimmed === 'false' ? [trimmed === 'true'] : []
    case 'null':
      return text === '' ? [null] : []
    default:
      return readJsonAs(type, text)
  }
}

function readJsonAs(type: string, text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return (type === 'array' ? Array.isArray(value) : isObject(value)) ? [value] : []
  } catch {
    return []
  }
}

/** Checks a value. */
function check(schema: unknown, value: unknown, at: string, effort: CheckEffort): string[] {
  effort.spend(10)
  if (schema === false) return [`${at}: is not allowed`]
  if (!isObject(schema)) return []
  const { enum: list, const: only } = schema
  const faults: string[] = []
  if (schema['type'] !== undefined && !typesOf(schema['type']).some((type) => isOfType(type, value))) {
    faults.push(`must be ${typesOf(schema['type']).map(article).join(' or ')}, is ${show(value)}`)
  }
  if (Array.isArray(list) && !isOneOf(list, value)) {
    effort.spend(list.length * 100)
    faults.push(`must be one of ${list.map(show).join(', ')}, is ${show(value)}`)
  }
  if (Object.hasOwn(schema, 'const') && JSON.stringify(only) !== JSON.stringify(value))
    faults.push(`must be ${show(only)}, is ${show(value)}`)
  if (typeof value === 'number') faults.push(...numberFaults(schema, value))
  if (typeof value === 'string') faults.push(...stringFaults(schema, value, effort))
  const own = faults.map((fault) => `${at}: ${fault}`)
  own.forEach(() => effort.fault())
  if (Array.isArray(value)) return [...own, ...arrayFaults(schema, value, at, effort)]
  return isObject(value) ? [...own, ...objectFaults(schema, value, at, effort)] : own
}

const listed = new WeakMap<readonly unknown[], ReadonlySet<string>>()

function isOneOf(list: readonly unknown[], value: unknown): boolean {
  let texts = listed.get(list)
  if (texts === undefined) {
    texts = new Set(list.map((one) => JSON.stringify(one)))
    listed.set(list, texts)
  }
  return texts.has(JSON.stringify(value))
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

function numberFaults(schema: Schema, value: number): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const wrong: [boolean, string][] = [
    [typeof minimum === 'number' && value < minimum, `must be at least ${show(minimum)}`],
    [typeof maximum === 'number' && value > maximum, `must be at most ${show(maximum)}`],
    [
      typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum,
      `must be above ${show(exclusiveMinimum)}`,
    ],
    [
      typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum,
      `must be below ${show(exclusiveMaximum)}`,
    ],
    [
      typeof multipleOf === 'number' && !isMultiple(value, multipleOf),
      `must be a multiple of ${show(multipleOf)}`,
    ],
  ]
  return wrong.filter(([is]) => is).map(([, fault]) => `${fault}, is ${show(value)}`)
}

/** 0.3 is a multiple of 0.1, although not in binary fractions. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of
  return Math.abs(times - Math.round(times)) < 1e-9
}

function stringFaults(schema: Schema, value: string, effort: CheckEffort): string[] {
  const { minLength, maxLength, pattern: source } = schema
  const { length } = Array.from(value)
  effort.spend(length)
  const faults: string[] = []
  if (typeof minLength === 'number' && length < minLength)
    faults.push(`must have at least ${minLength} characters`)
  if (typeof maxLength === 'number' && length > maxLength)
    faults.push(`must have at most ${maxLength} characters`)
  if (typeof source === 'string') {
    const pattern = readPattern(source)
    if ('fault' in pattern) return [pattern.fault]
    effort.spend(3 * pattern.size * value.length)
    if (!pattern.test(value)) faults.push(`must match ${source}`)
  }
  return faults.map((fault) => `${fault}, is ${show(value)}`)
}

function arrayFaults(schema: Schema, value: readonly unknown[], at: string, effort: CheckEffort): string[] {
  const { minItems, maxItems, items } = schema
  const faults = value.flatMap((item, index) => check(items, item, `${at}[${index}]`, effort))
  if (typeof minItems === 'number' && value.length < minItems)
    faults.push(`${at}: must have at least ${minItems} items`)
  if (typeof maxItems === 'number' && value.length > maxItems)
    faults.push(`${at}: must have at most ${maxItems} items`)
  return faults
}

function objectFaults(schema: Schema, value: Schema, at: string, effort: CheckEffort): string[] {
  const { required, properties, additionalProperties: others } = schema
  const known = isObject(properties) ? properties : {}
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  effort.spend(names.length * 10)
  const missing = names.map(String).filter((name) => !Object.hasOwn(value, name))
  missing.forEach(() => effort.fault())
  return [
    ...missing.map((name) => `${at}: ${name} is required`),
    ...Object.entries(value).flatMap(([name, member]) =>
      check(Object.hasOwn(known, name) ? known[name] : others, member, `${at}.${name}`, effort),
    ),
  ]
}

function show(value: unknown): string {
  const written = JSON.stringify(value) ?? 'nothing'
  return written.length > 60 ? `${written.slice(0, 60)}…` : written
}
