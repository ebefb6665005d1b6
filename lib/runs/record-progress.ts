import type { FinalRunStatus, StepStatus } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'

/** The row of a step. Times are milliseconds since 1970; nothing is null. */
export interface RecordStep {
  readonly name: string
  readonly place: number
  readonly status: StepStatus
  readonly phase: 'executing' | 'waiting' | null
  /** The attempt of the run in which the step last ran: where its log is. */
  readonly attempt: number
  readonly retryCount: number
  readonly doneCount: number
  readonly waitUntil: number | null
  readonly exitCode: number | null
  readonly error: string
  readonly tolerated: boolean
  readonly outputs: Readonly<Record<string, string>>
  readonly conditions: readonly { readonly met: boolean; readonly error: string }[]
  readonly startedAt: number | null
  readonly finishedAt: number | null
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
