import { limits } from '#lib/core/limits.ts'
import type { NamedText, ParamDefault } from '#lib/definition/definition.ts'
import type { Given, RawDag } from '#lib/definition/reading/layers.ts'
import { applyParamsSchema, paramsSchemaFaults } from '#lib/definition/params/params-schema.ts'
import { mergeParams } from '#lib/definition/params/merge-params.ts'
import { paramsText } from '#lib/definition/params/params-text.ts'
import { readGivenParams, readParamText } from '#lib/definition/params/read-params.ts'
import { isTypedParam, readTypedParam } from '#lib/definition/params/typed-params.ts'
import type { PatternCheck } from '#lib/definition/reading/pattern-check.ts'
import type { Position } from '#lib/definition/reading/position.ts'
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
  const { position } = given
  if (position.items().some((item) => isTypedParam(item.node))) return readTypedParams(position, patterns)
  if (!isSchemaForm(position.node)) return { params: readDefaults(position), paramsSchema: undefined }
  const values = position.at('values')
  const params = values.node === undefined ? [] : readDefaults(values)
  return { params, paramsSchema: readSchema(position.at('schema'), params, values, patterns) }
}

/** A list in which at least one param is described. The rest are values, as in any list of params. */
function readTypedParams(position: Position, patterns: PatternCheck): ParamsField {
  const params: ParamDefault[] = []
  const properties: string[] = []
  const required: string[] = []
  for (const item of position.items()) {
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
  return { params, paramsSchema: checkSchema(json, params, { at: position, values: position }, patterns) }
}

/** The params of a child call as text, which `readGivenParams` parses again. */
export function childParams(position: Position): string | undefined {
  const { node } = position
  if (node === undefined) return undefined
  if (node.kind === 'scalar') return node.value === null ? undefined : node.text
  return paramsText(readDefaults(position))
}

function readDefaults(position: Position): ParamDefault[] {
  const params = readAny(position)
  if (params.length > limits.positionalParamsMax)
    position.fault(`must be at most ${limits.positionalParamsMax}`)
  return params
}

function readAny(position: Position): ParamDefault[] {
  const { node } = position
  if (node === undefined) return []
  if (node.kind === 'map') return readMap(position)
  if (node.kind === 'scalar') return readGivenParams(node.text)
  return position.items().flatMap(readItem)
}

function readItem(item: Position): ParamDefault[] {
  return item.node?.kind === 'map' ? readMap(item) : readParamText(item.text)
}

function readMap(position: Position): NamedText[] {
  return position.entries().flatMap(([name, value]) => {
    return checkName(name, value) ? [{ name, value: value.text }] : []
  })
}

function checkName(name: string, position: Position): boolean {
  if (/^[^\s=]{1,256}$/.test(name)) return true
  position.fault(`must have a name without blanks and equals signs, has ${JSON.stringify(name.slice(0, 60))}`)
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
  position: Position,
  params: readonly ParamDefault[],
  values: Position,
  patterns: PatternCheck,
): Readonly<Record<string, unknown>> | undefined {
  const { node } = position
  if (node?.kind !== 'map') {
    position.fault(
      'must be a JSON Schema written here as a map; files and addresses of schemas are not offered',
    )
    return undefined
  }
  return checkSchema(jsonOf(node), params, { at: position, values }, patterns)
}

/** @param positions of the schema, and of the values that must satisfy it */
function checkSchema(
  json: string,
  params: readonly ParamDefault[],
  { at, values }: { readonly at: Position; readonly values: Position },
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
