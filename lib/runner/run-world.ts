import type { FinalRunStatus } from '#lib/core/status.ts'
import type { AttemptResult, RunEvent } from '#lib/engine/actions.ts'
import type { RunEnd } from './log/run-log-lines.ts'
import type { ConditionResult, RunProgress } from '#lib/engine/progress.ts'

/** A change of a run that must become durable. */
export interface RunChange {
  /** The last state that is durable, or on its way to the database. */
  readonly before: RunProgress
  readonly after: RunProgress
  /** True when an attempt ended under this owner since the last change. */
  readonly survived: boolean
  /** Set when the run is over. */
  readonly finish?: { readonly status: FinalRunStatus; readonly error: string }
  /** Set when the run is given back; claimable from `readyAt` (milliseconds since 1970), or at once. */
  readonly release?: { readonly readyAt: number | undefined }
}

/** The outside world of a run. Nothing is asked of it before the state that led to the request is durable. */
export interface RunWorld {
  /** The clock of the database, milliseconds since 1970. */
  readonly now: () => number
  /** Resolves to `lost` when another runner owns the run; rejects when the database refuses the change itself. */
  readonly record: (change: RunChange) => Promise<'recorded' | 'lost'>
  /** Evaluates the preconditions of the DAG. The three evaluations never reject; on an error they are not met. */
  readonly checkRun: (progress: RunProgress, signal: AbortSignal) => Promise<boolean>
  readonly checkStep: (
    progress: RunProgress,
    place: number,
    signal: AbortSignal,
  ) => Promise<ConditionResult[]>
  readonly decideRepeat: (progress: RunProgress, place: number, signal: AbortSignal) => Promise<boolean>
  /** Executes one attempt. Never rejects. `stop` is aborted with a reason (lib/executors/executor.ts) to end it. */
  readonly attempt: (request: AttemptRequest) => Promise<AttemptResult>
  /** Makes the log of the run durable; called before the end of the run is recorded. */
  readonly flush: () => Promise<void>
  /** Reports an event, for the log of the run. */
  readonly tell: (event: RunEvent, progress: RunProgress) => void
  readonly tellEnd: (end: RunEnd) => void
}

export interface AttemptRequest {
  readonly progress: RunProgress
  readonly place: number
  readonly reattach: boolean
  readonly stop: AbortController
}
