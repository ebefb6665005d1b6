import type { Database } from '#lib/db/client.ts'
import { isUnavailable } from '#lib/db/errors.ts'
import { migrationState, type MigrationState } from '#lib/db/migration-state.ts'
import { answerInTime } from './answer-in-time.ts'

/** Says that the process lives, whatever the database does: a restart would not bring that back. */
export function alive(): Response {
  return Response.json({ status: 'alive' })
}

export interface ReadinessParts {
  readonly db: Database
  /** Aborted when the process is to end. */
  readonly draining: AbortSignal
  /** Milliseconds until the database counts as away. */
  readonly answerMsMax: number
}

/**
 * Says whether the process should be sent calls: not while it drains, not without its database, and not before that
 * has been migrated as far as this program needs. A database that is further is fine: an upgrade is under way.
 */
export async function ready({ db, draining, answerMsMax }: ReadinessParts): Promise<Response> {
  const reason = draining.aborted
    ? 'the process is about to end'
    : await answerInTime(migrationState(db), answerMsMax).then(whyPending, whyFailed)
  if (reason === undefined) return Response.json({ status: 'ready' })
  return Response.json({ status: 'not ready', reason }, { status: 503, headers: { 'retry-after': '2' } })
}

function whyPending({ pending }: MigrationState): string | undefined {
  return pending.length === 0 ? undefined : `migrations are pending: ${pending.join(', ')}`
}

function whyFailed(error: unknown): string {
  return isUnavailable(error) ? 'the database cannot be reached' : 'the database does not answer as it should'
}
