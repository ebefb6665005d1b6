import { badRequest } from '#lib/core/errors.ts'
import { readSpec } from '#lib/definition/read-spec.ts'
import type { RunSource } from './start-run.ts'

const placeholder = 'unnamed'

/**
 * The source of a run whose spec is in the request. A name in the request overrides the name in the spec.
 * @throws ServiceError `bad_request` when neither has a name
 */
export function inlineSource(spec: string, name: string | undefined, base: string | undefined): RunSource {
  const given = name === '' ? undefined : name
  if (given === undefined && readSpec(spec, { fileName: placeholder }).dag.name === placeholder) {
    throw badRequest('name: is required when the spec has none')
  }
  return { fileName: undefined, defaultName: given ?? placeholder, spec, base }
}
