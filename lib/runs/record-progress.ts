import type { FinalRunStatus } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import type { StoredStep } from '#lib/engine/stored-step.ts'

/** A step to store, with its place in the plan. */
export interface RecordStep extends StoredStep {
  readonly place: number
}

/** One journal entry: the changes of one run. */
export interface RecordItem {
  readonly runKey: string
  readonly token: string
  readonly steps: readonly RecordStep[]
  readonly run?: {
    readonly inputs?: object
    readonly checked?: boolean
    readonly ending?: string
    readonly lastStartAt?: number
    /** An attempt ended under this owner, which resets the count of lost runners in a row. */
    readonly survived?: boolean
  }
  readonly finish?: { readonly status: FinalRunStatus; readonly error: string }
  /** Gives the run back, claimable from this time on; null: at once. */
  readonly release?: { readonly readyAtMs: number | null }
}

/**
 * Records a batch in one statement. Entries with an outdated token change nothing and are returned as lost. Idempotent.
 */
export function recordProgress(
  db: Database,
  batch: readonly RecordItem[],
): Promise<{ readonly lost: readonly string[] }> {
  return db.call('record', batch)
}
