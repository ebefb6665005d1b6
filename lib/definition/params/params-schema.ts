import { isLiteral } from '#lib/definition/values/expand.ts'
import type { MergedParam } from './merge-params.ts'
import { asText, CheckEffort, checkText, type Schema, schemaFaults } from './value-schema.ts'

/** Faults of a params schema itself, as sentences for the author of the file. */
export function paramsSchemaFaults(schema: Schema): string[] {
  if (schema['type'] !== undefined && schema['type'] !== 'object') {
    return ['the schema of params must have type object']
  }
  return schemaFaults(schema, 'schema')
}

const faultsMax = 100

export interface CheckedParams {
  /** With the defaults of the schema added. */
  readonly params: readonly MergedParam[]
  /** One sentence per fault; a run with faults is not started. */
  readonly faults: readonly string[]
}

/**
 * Checks params against the JSON Schema of a file (`params: {schema, values}`). Params are text, so a text is read as
 * the number, boolean or JSON value that the schema of its property asks for.
 * @param options.unexpanded defaults may still contain references and commands; such defaults are not checked
 */
export function applyParamsSchema(
  schema: Schema,
  params: readonly MergedParam[],
  options: { readonly unexpanded?: boolean } = {},
): CheckedParams {
  const properties = recordOf(schema['properties'])
  const given = new Set(params.map(({ name }) => name))
  const added: MergedParam[] = []
  for (const [name, property] of Object.entries(properties)) {
    const fallback = recordOf(property)['default']
    if (given.has(name) || fallback === undefined) continue
    added.push({ name, value: asText(fallback), origin: 'default' })
  }
  const all = [...params, ...added]
  const effort = new CheckEffort()
  const faults = missing(schema, all)
  for (const param of all) {
    if (faults.length > faultsMax) break
    faults.push(...faultsOf(schema, properties, param, { ...options, effort }))
  }
  return { params: all, faults }
}

function missing(schema: Schema, params: readonly MergedParam[]): string[] {
  const names = new Set(params.map(({ name }) => name))
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  return required
    .map(String)
    .filter((name) => !names.has(name))
    .map((name) => `param ${name} is required`)
}

function faultsOf(
  schema: Schema,
  properties: Schema,
  param: MergedParam,
  options: { readonly unexpanded?: boolean; readonly effort: CheckEffort },
): string[] {
  const { effort } = options
  const { name, value, origin } = param
  if (options.unexpanded === true && origin === 'default' && !isLiteral(value)) return []
  if (Object.hasOwn(properties, name)) return checkText(properties[name], value, `param ${name}`, effort)
  const others = schema['additionalProperties']
  if (others !== false) return checkText(others, value, `param ${name}`, effort)
  const known = Object.keys(properties).join(', ')
  return [`param ${name} is not one of the schema's${known === '' ? '' : `: ${known}`}`]
}

function recordOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}
}
