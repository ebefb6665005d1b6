import type { Database } from '#lib/db/client.ts'
import { loadRun, type RunState } from './load-run.ts'
import type { DefinitionReader } from './read-definition.ts'
import type { RunRecord } from './run-record.ts'
import { stateInAttempt } from './state-in-attempt.ts'

/**
 * Loads a run with its details, as it was at the end of an attempt.
 * @param attempt default: the current attempt
 * @throws ServiceError `bad_request` for an unknown attempt
 */
export async function loadInAttempt(
  { db, definitions }: { readonly db: Database; readonly definitions: DefinitionReader },
  run: RunRecord,
  attempt = run.attempt,
): Promise<RunState> {
  return stateInAttempt(await loadRun(db, definitions, run), attempt)
}
