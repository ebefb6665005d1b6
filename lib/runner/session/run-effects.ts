import type { FinalRunStatus } from '#lib/core/status.ts'
import type { AttemptResult, RunEvent } from '#lib/engine/actions.ts'
import type { ConditionResult, RunProgress } from '#lib/engine/progress.ts'

/** How the work of this runner on a run ends, unless the run is lost. */
export type RunEnd =
  | { readonly type: 'finished'; readonly status: FinalRunStatus; readonly error: string }
  /** Claimable from `readyAt` (milliseconds since 1970), or at once. */
  | { readonly type: 'released'; readonly readyAt?: number | undefined }

/** A change of a run that must become durable. */
export interface RunChange {
  /** The last state that is durable, or on its way to the database. */
  readonly before: RunProgress
  readonly after: RunProgress
  /** True when an attempt ended under this owner since the last change. */
  readonly survived: boolean
  readonly end?: RunEnd | undefined
}

/** Everything that a run does to the world. Nothing is asked for before the state that led to it is durable. */
export interface RunEffects {
  /** The clock of the database, milliseconds since 1970. */
  readonly now: () => number
  /** Resolves to `lost` when another runner owns the run; rejects when the database refuses the change itself. */
  readonly record: (change: RunChange) => Promise<'recorded' | 'lost'>
  /** Evaluates the preconditions of the DAG. The three evaluations never reject; on an error they are not met. */
  readonly checkRun: (progress: RunProgress, signal: AbortSignal) => Promise<boolean>
  readonly checkStep: (
    progress: RunProgress,
    index: number,
    signal: AbortSignal,
  ) => Promise<ConditionResult[]>
  readonly decideRepeat: (progress: RunProgress, index: number, signal: AbortSignal) => Promise<boolean>
  /** Executes one attempt. Never rejects. `stop` is aborted with a reason (lib/executors/executor.ts) to end it. */
  readonly attempt: (request: AttemptRequest) => Promise<AttemptResult>
  /** Makes the log of the run durable; called before the end of the run is recorded. */
  readonly flush: () => Promise<void>
  /** Writes what was observed to the log of the run. */
  readonly publish: (observed: RunEvent, progress: RunProgress) => void
  readonly publishEnd: (end: RunEnd) => void
}

export interface AttemptRequest {
  readonly progress: RunProgress
  readonly index: number
  readonly reattach: boolean
  readonly stop: AbortController
}
