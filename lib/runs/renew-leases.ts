import type { Database } from '#lib/db/client.ts'

export interface Renewal {
  /** Keys of runs that belong to somebody else by now. */
  readonly lost: readonly string[]
  /** Runs that were told to stop, and when, milliseconds since 1970. */
  readonly stopping: readonly { readonly runKey: string; readonly at: number }[]
  /** The clock of the database, milliseconds since 1970. */
  readonly now: number
}

export interface WorkerFacts {
  readonly labels: Readonly<Record<string, string>>
  readonly slots: number
  readonly host: string
  readonly pid: number
  readonly draining: boolean
}

/** Renews all leases of a runner, and tells that it is alive, in one statement. */
export function renewLeases(
  db: Database,
  input: {
    owner: string
    claims: readonly { readonly runKey: string; readonly token: string }[]
    leaseMs: number
    worker: WorkerFacts
  },
): Promise<Renewal> {
  return db.call('renew_leases', input.owner, input.claims, input.leaseMs, input.worker)
}
