import { limits } from '#lib/core/limits.ts'
import type { NamedText, ParamDefault } from './definition.ts'
import type { Given, RawDag } from './layers.ts'
import { applyParamsSchema, paramsSchemaFaults } from './params/params-schema.ts'
import { mergeParams } from './params/merge-params.ts'
import { paramsText } from './params/params-text.ts'
import { readGivenParams, readParamText } from './params/read-params.ts'
import type { PatternCheck } from './pattern-check.ts'
import type { Place } from './place.ts'
import { jsonOf, type SpecNode } from './spec-node.ts'

export interface ParamsField {
  readonly params: readonly ParamDefault[]
  readonly paramsSchema: Readonly<Record<string, unknown>> | undefined
}

/** Reads the params of a DAG: a text, a list, a map (in its order), or `{schema, values}`. */
export function readParams(
  given: Given<NonNullable<RawDag['params']>> | undefined,
  patterns: PatternCheck,
): ParamsField {
  if (given === undefined) return { params: [], paramsSchema: undefined }
  const { place } = given
  if (!isSchemaForm(place.node)) return { params: readDefaults(place), paramsSchema: undefined }
  const values = place.at('values')
  const params = values.node === undefined ? [] : readDefaults(values)
  return { params, paramsSchema: readSchema(place.at('schema'), params, values, patterns) }
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
  return place.items().flatMap((item) => {
    if (item.node?.kind === 'map') return readMap(item)
    return readParamText(item.text)
  })
}

function readMap(place: Place): NamedText[] {
  return place.entries().flatMap(([name, value]) => {
    if (/^[^\s=]{1,256}$/.test(name)) return [{ name, value: value.text }]
    value.fault(`must have a name without blanks and equals signs, has ${JSON.stringify(name.slice(0, 60))}`)
    return []
  })
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
  const json = jsonOf(node)
  if (json.length > schemaLengthMax || !patternsOf(node).every((pattern) => patterns.spend(pattern))) {
    place.fault('must be a smaller schema')
    return undefined
  }
  const schema = JSON.parse(json) as Record<string, unknown>
  const faults = paramsSchemaFaults(schema)
  for (const fault of faults) place.fault(`must be a JSON Schema: ${fault}`)
  if (faults.length > 0) return undefined
  // Required params may still be given when a run starts.
  const { required: _, ...optional } = schema
  for (const fault of applyParamsSchema(optional, mergeParams(params, []), { unexpanded: true }).faults) {
    values.fault(`must satisfy the schema: ${fault}`)
  }
  return schema
}

function patternsOf(node: SpecNode): string[] {
  if (node.kind === 'scalar') return []
  if (node.kind === 'list') return node.items.flatMap(patternsOf)
  return [...node.entries].flatMap(([key, { value }]) =>
    key === 'pattern' && value.kind === 'scalar' ? [value.text] : patternsOf(value),
  )
}
