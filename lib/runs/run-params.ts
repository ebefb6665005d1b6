import { badRequest } from '#lib/core/errors.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { displayParams } from '#lib/definition/params/display-params.ts'
import { mergeParams } from '#lib/definition/params/merge-params.ts'
import { applyParamsSchema } from '#lib/definition/params/params-schema.ts'
import { readGivenParams } from '#lib/definition/params/read-params.ts'
import type { RunRecord } from './run-record.ts'

type NamedValue = { readonly name: string; readonly value: string }
type Params = Pick<RunRecord, 'params' | 'paramsGiven'>

/**
 * The params of a run: as the runner resolved them, or until it has, what was given over the defaults as written.
 * @param definition when it is at hand; without it only what was given is known
 */
export function runParamsList(run: Params, definition?: Definition): readonly NamedValue[] {
  return run.params ?? mergeParams(definition?.params ?? [], readGivenParams(run.paramsGiven))
}

/** The same as one line, as lists show it. */
export function runParamsText(run: Params, definition?: Definition): string {
  return displayParams(runParamsList(run, definition))
}

/**
 * Checks what a caller gives, and against the schema of the DAG's params, before a run is made of it.
 * @throws ServiceError `bad_request` that lists what does not fit
 */
export function checkGivenParams(definition: Definition, given: string | undefined): void {
  const params = readGivenParams(given)
  const odd = params.find(({ name, value }) => !isText(name ?? '') || !isText(value))
  if (odd !== undefined) {
    const which = JSON.stringify(odd.name ?? odd.value)
    throw badRequest(`params: ${which} must not hold NUL characters or halves of surrogate pairs`)
  }
  if (definition.paramsSchema === undefined) return
  const merged = mergeParams(definition.params, params)
  const { faults } = applyParamsSchema(definition.paramsSchema, merged, { unexpanded: true })
  if (faults.length > 0) throw badRequest(`params: ${faults.join('; ')}`, { faults })
}

const isText = (value: string): boolean => value.isWellFormed() && !value.includes('\0')
