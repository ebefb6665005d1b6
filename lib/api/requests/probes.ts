import type { Database } from '#lib/db/client.ts'
import { isUnavailable } from '#lib/db/errors.ts'
import { listed, migrationState, type MigrationState } from '#lib/db/migration-state.ts'
import { answerInTime } from './answer-in-time.ts'
import { guardHeaders } from './guard-headers.ts'

/** Liveness: the process answers. Does not look at the database, which a restart would not bring back. */
export function alive(): Response {
  return Response.json({ status: 'alive' }, { headers: guardHeaders })
}

export interface ReadinessDeps {
  readonly db: Database
  /** Aborted when the process was asked to shut down. */
  readonly draining: AbortSignal
  /** Milliseconds after which the database counts as away. */
  readonly answerMsMax: number
}

/**
 * Readiness: not while the process drains, without its database, or before the migrations that this program needs.
 * Newer migrations are fine, since an upgrade is in progress then.
 */
export async function ready({ db, draining, answerMsMax }: ReadinessDeps): Promise<Response> {
  const reason = draining.aborted
    ? 'the process is shutting down'
    : await answerInTime(migrationState(db), answerMsMax).then(whyPending, whyFailed)
  if (reason === undefined) return Response.json({ status: 'ready' }, { headers: guardHeaders })
  const headers = { ...guardHeaders, 'retry-after': '2' }
  return Response.json({ status: 'not ready', reason }, { status: 503, headers })
}

function whyPending({ pending }: MigrationState): string | undefined {
  return pending.length === 0 ? undefined : `migrations are pending: ${listed(pending)}`
}

function whyFailed(error: unknown): string {
  return isUnavailable(error) ? 'the database cannot be reached' : 'the database gives wrong answers'
}
