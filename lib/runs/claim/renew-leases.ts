import type { Database } from '#lib/db/client.ts'

/** The right to execute one run. */
export interface Claim {
  readonly runKey: string
  readonly token: string
}

export interface Renewal {
  /** Keys of runs that this owner no longer holds. */
  readonly lost: readonly string[]
  /**
   * Valid claims of this owner that the call did not list: the response to the claim was lost or is in flight. Not
   * renewed.
   */
  readonly unknown: readonly Claim[]
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

/** Renews all leases of a runner and its heartbeat in one statement. */
export function renewLeases(
  db: Database,
  input: {
    owner: string
    claims: readonly Claim[]
    leaseMs: number
    worker: WorkerFacts
  },
): Promise<Renewal> {
  return db.call('renew_leases', input.owner, input.claims, input.leaseMs, input.worker)
}
