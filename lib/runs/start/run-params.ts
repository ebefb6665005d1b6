import { badRequest } from '#lib/core/errors.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { displayParams } from '#lib/definition/params/display-params.ts'
import { mergeParams } from '#lib/definition/params/merge-params.ts'
import { applyParamsSchema } from '#lib/definition/params/params-schema.ts'
import { paramCountFault, readGivenParams } from '#lib/definition/params/read-params.ts'
import type { RunRecord } from '#lib/runs/read/run-record.ts'

type NamedValue = { readonly name: string; readonly value: string }
type Params = Pick<RunRecord, 'params' | 'paramsGiven'>

/**
 * The params of a run. Until the runner has resolved them: those of the caller, merged over the unexpanded defaults.
 * @param definition without it, the defaults are omitted
 */
export function runParamsList(run: Params, definition?: Definition): readonly NamedValue[] {
  return run.params ?? mergeParams(definition?.params ?? [], readGivenParams(run.paramsGiven))
}

/** The params of {@link runParamsList} on one line. */
export function runParamsText(run: Params, definition?: Definition): string {
  return displayParams(runParamsList(run, definition))
}

/**
 * Validates the params of a caller, including against the params schema of the DAG.
 * @throws ServiceError `bad_request` with all errors
 */
export function checkGivenParams(definition: Definition, given: string | undefined): void {
  const params = readGivenParams(given)
  const excess = paramCountFault(params)
  if (excess !== undefined) throw badRequest(`params: ${excess}`)
  const malformed = params.find(({ name, value }) => !isText(name ?? '') || !isText(value))
  if (malformed !== undefined) {
    const which = JSON.stringify(malformed.name ?? malformed.value)
    throw badRequest(`params: ${which} must not hold NUL characters or halves of surrogate pairs`)
  }
  if (definition.paramsSchema === undefined) return
  const merged = mergeParams(definition.params, params)
  const { faults } = applyParamsSchema(definition.paramsSchema, merged, { unexpanded: true })
  if (faults.length > 0) throw badRequest(`params: ${faults.join('; ')}`, { faults })
}

const isText = (value: string): boolean => value.isWellFormed() && !value.includes('\0')
