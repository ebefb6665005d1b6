import { addAuditEntry } from '#lib/audit/add-audit-entry.ts'
import type { AuditChange } from '#lib/audit/audit-entry.ts'
import type { Database } from '#lib/db/client.ts'
import type { Log } from '#lib/telemetry/log.ts'
import { answerInTime } from '#lib/api/requests/answer-in-time.ts'
import { everybody, type Caller } from '#lib/api/auth/auth.ts'
import type { Route } from './define-route.ts'

/** A call of a route that {@link mutates}, and was answered. */
export interface AnsweredCall {
  readonly caller: Caller
  readonly route: Pick<Route, 'operationId' | 'access'>
  /** HTTP status of the answer. */
  readonly status: number
  readonly path: string
  /** Where the call came from. */
  readonly address: string
  /** The remote node that the call was forwarded to. */
  readonly node: string | undefined
  readonly requestId: string
  readonly changes: readonly AuditChange[]
}

/** Whether a call may change something. The method does not say: dequeueing a run is a GET. */
export const mutates = ({ access, method }: Pick<Route, 'access' | 'method'>): boolean =>
  access === 'run' ||
  access === 'write' ||
  access === 'tick' ||
  ((access === 'admin' || access === 'session') && method !== 'get')

/** Stores who changed what, or tried to. A change is not taken back because its entry cannot be stored. */
export async function auditCall(
  db: Database,
  { caller, route, status, path, address, node, requestId, changes }: AnsweredCall,
  { log, answerMsMax }: { readonly log: Pick<Log, 'error'>; readonly answerMsMax: number },
): Promise<void> {
  const { name, role } = caller
  // A tick has no caller whose changes should be audited.
  if (role === undefined || route.access === 'tick') return
  // Anonymous calls have no actor to record, and the run rows say the rest. So runs do not wait for another commit.
  if (caller === everybody && route.access === 'run') return
  const target = node === undefined ? path : `${path} at ${node.slice(0, 64)}`
  const entry = { actor: name, role, action: route.operationId, target, address, status }
  try {
    await answerInTime(
      addAuditEntry(db, { ...entry, requestId, changes: changes.length > 0 ? changes : null }),
      answerMsMax,
    )
  } catch (error) {
    log.error({ event: 'audit.lost', ...entry, error }, 'an audit entry could not be stored')
  }
}
