import type { FinalRunStatus } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import type { StoredStep } from '#lib/engine/stored-step.ts'

/** The row of a step, with its place in the plan. */
export interface RecordStep extends StoredStep {
  readonly place: number
}

/** One entry of the journal: what changed of one run. */
export interface RecordItem {
  readonly runKey: string
  readonly token: string
  readonly steps: readonly RecordStep[]
  readonly run?: {
    readonly inputs?: object
    readonly checked?: boolean
    readonly ending?: string
    readonly lastStartAt?: number
    /** An attempt came to its end under this owner: earlier losses of runners count no more. */
    readonly survived?: boolean
  }
  readonly finish?: { readonly status: FinalRunStatus; readonly error: string }
  /** Gives the run back; null: claimable at once. */
  readonly release?: { readonly readyAtMs: number | null }
}

/** Records a batch in one statement, fenced by the tokens; doing it twice changes nothing. */
export function recordProgress(
  db: Database,
  batch: readonly RecordItem[],
): Promise<{ readonly lost: readonly string[] }> {
  return db.call('record', batch)
}
