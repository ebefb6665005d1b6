import { limits } from '#lib/core/limits.ts'
import type { NamedText, ParamDefault } from '#lib/definition/definition.ts'
import type { Given, RawDag } from '#lib/definition/reading/layers.ts'
import { applyParamsSchema, paramsSchemaFaults } from '#lib/definition/params/params-schema.ts'
import { mergeParams } from '#lib/definition/params/merge-params.ts'
import { paramsText } from '#lib/definition/params/params-text.ts'
import { readGivenParams, readParamText } from '#lib/definition/params/read-params.ts'
import { isTypedParam, readTypedParam } from '#lib/definition/params/typed-params.ts'
import type { PatternCheck } from '#lib/definition/reading/pattern-check.ts'
import type { Place } from '#lib/definition/reading/place.ts'
import { jsonOf, type SpecNode } from '#lib/definition/yaml/spec-node.ts'

export interface ParamsField {
  readonly params: readonly ParamDefault[]
  readonly paramsSchema: Readonly<Record<string, unknown>> | undefined
}

/** Reads the params of a DAG: a text, a list of values and typed params, a map, or `{schema, values}`. */
export function readParams(
  given: Given<NonNullable<RawDag['params']>> | undefined,
  patterns: PatternCheck,
): ParamsField {
  if (given === undefined) return { params: [], paramsSchema: undefined }
  const { place } = given
  if (place.items().some((item) => isTypedParam(item.node))) return readTypedParams(place, patterns)
  if (!isSchemaForm(place.node)) return { params: readDefaults(place), paramsSchema: undefined }
  const values = place.at('values')
  const params = values.node === undefined ? [] : readDefaults(values)
  return { params, paramsSchema: readSchema(place.at('schema'), params, values, patterns) }
}

/** A list in which at least one param is described. The rest are values, as in any list of params. */
function readTypedParams(place: Place, patterns: PatternCheck): ParamsField {
  const params: ParamDefault[] = []
  const properties: string[] = []
  const required: string[] = []
  for (const item of place.items()) {
    if (!isTypedParam(item.node)) params.push(...readItem(item))
    else {
      const { name, fallback, isRequired, schema } = readTypedParam(item.node)
      checkName(name, item.at('name'))
      if (fallback !== undefined) params.push({ name, value: fallback })
      else if (isRequired) required.push(name)
      properties.push(`${JSON.stringify(name)}:${schema}`)
    }
  }
  const json = `{"type":"object","properties":{${properties.join(',')}},"required":${JSON.stringify(required)}}`
  return { params, paramsSchema: checkSchema(json, params, { at: place, values: place }, patterns) }
}

/** The params of a child call as text, which `readGivenParams` parses again. */
export function childParams(place: Place): string | undefined {
  const { node } = place
  if (node === undefined) return undefined
  if (node.kind === 'scalar') return node.value === null ? undefined : node.text
  return paramsText(readDefaults(place))
}

function readDefaults(place: Place): ParamDefault[] {
  const params = readAny(place)
  if (params.length > limits.positionalParamsMax) place.fault(`must be at most ${limits.positionalParamsMax}`)
  return params
}

function readAny(place: Place): ParamDefault[] {
  const { node } = place
  if (node === undefined) return []
  if (node.kind === 'map') return readMap(place)
  if (node.kind === 'scalar') return readGivenParams(node.text)
  return place.items().flatMap(readItem)
}

function readItem(item: Place): ParamDefault[] {
  return item.node?.kind === 'map' ? readMap(item) : readParamText(item.text)
}

function readMap(place: Place): NamedText[] {
  return place.entries().flatMap(([name, value]) => {
    return checkName(name, value) ? [{ name, value: value.text }] : []
  })
}

function checkName(name: string, place: Place): boolean {
  if (/^[^\s=]{1,256}$/.test(name)) return true
  place.fault(`must have a name without blanks and equals signs, has ${JSON.stringify(name.slice(0, 60))}`)
  return false
}

/**
 * Whether this is `{schema, values}`. A DAG may have a param named `schema`, so there must be no other key than
 * `values`.
 */
function isSchemaForm(node: SpecNode | undefined): boolean {
  if (node?.kind !== 'map' || !node.entries.has('schema')) return false
  return [...node.entries.keys()].every((key) => key === 'schema' || key === 'values')
}

const schemaLengthMax = 65_536

function readSchema(
  place: Place,
  params: readonly ParamDefault[],
  values: Place,
  patterns: PatternCheck,
): Readonly<Record<string, unknown>> | undefined {
  const { node } = place
  if (node?.kind !== 'map') {
    place.fault('must be a JSON Schema written here as a map; files and addresses of schemas are not offered')
    return undefined
  }
  return checkSchema(jsonOf(node), params, { at: place, values }, patterns)
}

/** @param places of the schema, and of the values that must satisfy it */
function checkSchema(
  json: string,
  params: readonly ParamDefault[],
  { at, values }: { readonly at: Place; readonly values: Place },
  patterns: PatternCheck,
): Readonly<Record<string, unknown>> | undefined {
  const isSmall = json.length <= schemaLengthMax
  const schema = isSmall ? (JSON.parse(json) as Record<string, unknown>) : {}
  if (!isSmall || !patternsOf(schema).every((pattern) => patterns.spend(pattern))) {
    at.fault('must be a smaller schema')
    return undefined
  }
  const faults = paramsSchemaFaults(schema)
  for (const fault of faults) at.fault(`must be a JSON Schema: ${fault}`)
  if (faults.length > 0) return undefined
  // Required params may still be given when a run starts.
  const { required: _, ...optional } = schema
  for (const fault of applyParamsSchema(optional, mergeParams(params, []), { unexpanded: true }).faults) {
    values.fault(`must satisfy the schema: ${fault}`)
  }
  return schema
}

function patternsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'pattern' && typeof value === 'string' ? [value] : patternsOf(value),
  )
}
