import type { Definition } from '#lib/definition/definition.ts'
import type { CommandRunner, Scope } from '#lib/definition/values/scope.ts'
import { mergeParams, resolveParams, type MergedParam } from './merge-params.ts'
import { applyParamsSchema } from './params-schema.ts'
import { paramCountFault, readGivenParams } from './read-params.ts'
import { paramVisibility } from './visible-params.ts'

/**
 * The params of a run, resolved, with their origin; checked against the params schema of the file, if it has one, and
 * completed with its defaults.
 * @param given the params as the caller gave them
 * @throws Error that lists what does not match the schema, and any error of `run`
 */
export async function fitParams(
  definition: Pick<Definition, 'params' | 'paramsSchema' | 'env' | 'secrets'>,
  given: string | undefined,
  scope: Scope,
  run: CommandRunner,
): Promise<readonly MergedParam[]> {
  const { params: defaults, paramsSchema } = definition
  const readParams = readGivenParams(given)
  // Callers over HTTP were refused; this run was started from SQL, or by a step.
  const excess = paramCountFault(readParams)
  if (excess !== undefined) throw new Error(`params: ${excess}`)
  const isVisible = paramVisibility(definition, (name) => scope.variables.has(name))
  const merged = mergeParams(defaults, readParams)
  if (paramsSchema === undefined) return resolveParams(merged, scope, run, isVisible)
  const complete = applyParamsSchema(paramsSchema, merged, { unexpanded: true }).params
  const resolved = await resolveParams(complete, scope, run, isVisible)
  const { params, faults } = applyParamsSchema(paramsSchema, resolved)
  if (faults.length > 0) throw new Error(`params: ${faults.join('; ')}`)
  return params
}
