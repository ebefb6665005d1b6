import type { Database } from '#lib/db/client.ts'

/** The right to run one run. */
export interface Claim {
  readonly runKey: string
  readonly token: string
}

export interface Renewal {
  /** Keys of runs that belong to somebody else by now. */
  readonly lost: readonly string[]
  /** Runs that were told to stop, and when, milliseconds since 1970. */
  readonly stopping: readonly { readonly runKey: string; readonly at: number }[]
  /** Valid claims of this owner that it has not named: their answer was lost, or is under way. They are not renewed. */
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

/** Renews all leases of a runner, and tells that it is alive, in one statement. */
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
