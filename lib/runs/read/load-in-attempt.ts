import type { Database } from '#lib/db/client.ts'
import { loadRun, type RunState } from './load-run.ts'
import type { DefinitionReader } from './read-definition.ts'
import type { RunRecord } from './run-record.ts'
import { stateInAttempt } from './state-in-attempt.ts'

/**
 * Loads everything that belongs to a run, as an attempt left it.
 * @param attempt the present one when absent
 * @throws ServiceError `bad_request` for an attempt of which nothing is known
 */
export async function loadInAttempt(
  { db, definitions }: { readonly db: Database; readonly definitions: DefinitionReader },
  run: RunRecord,
  attempt = run.attempt,
): Promise<RunState> {
  return stateInAttempt(await loadRun(db, definitions, run), attempt)
}
