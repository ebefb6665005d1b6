import { badRequest } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import type { Problem } from '#lib/definition/definition.ts'
import { problemTexts } from '#lib/definition/read-spec.ts'
import type { Change } from './change.ts'
import { createDag } from './create-dag.ts'
import type { DagDefaults } from './dag-columns.ts'
import { findDagText } from './find-dag-text.ts'
import { getVersion } from './get-version.ts'
import { saveSpec } from './save-spec.ts'

/**
 * Gives a DAG the text of one of its versions again, as a new version. A deleted DAG is created with it.
 * @param input.seen the version that the caller has seen; undefined: whatever it is now
 * @returns the version that it is now; warnings about the text
 * @throws ServiceError `not_found`, `bad_request` when the text now has faults, `already_exists` when the DAG has a
 *   newer version than the caller has seen
 */
export async function restoreVersion(
  db: Database,
  input: DagDefaults & {
    readonly fileName: string
    readonly version: number
    readonly seen: number | undefined
    readonly change: Change
  },
): Promise<{ readonly version: number; readonly warnings: readonly Problem[] }> {
  const { fileName, version: restored, seen, base, zone } = input
  const { spec } = await getVersion(db, { fileName, version: restored })
  const text = { fileName, spec, zone, ...(base !== undefined && { base }) }
  const change = { ...input.change, restored }
  if (seen === undefined && (await findDagText(db, fileName)) === undefined)
    return await createDag(db, { ...text, change })
  const { version, problems, warnings } = await saveSpec(db, { ...text, change, version: seen })
  if (version === undefined) {
    const faults = problemTexts(problems)
    throw badRequest(`version ${restored} has errors: ${faults.join('; ')}`, { faults, problems })
  }
  return { version, warnings }
}
