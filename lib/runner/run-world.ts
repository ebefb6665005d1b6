import type { FinalRunStatus } from '#lib/core/status.ts'
import type { AttemptResult, RunEvent } from '#lib/engine/actions.ts'
import type { ConditionResult, RunProgress } from '#lib/engine/progress.ts'

/** A change of a run that must become durable. */
export interface RunChange {
  /** What is durable already, or on its way. */
  readonly before: RunProgress
  readonly after: RunProgress
  /** An attempt came to its end under this owner since the last change. */
  readonly survived: boolean
  /** The run is over. */
  readonly finish?: { readonly status: FinalRunStatus; readonly error: string }
  /** The run is given back, to be claimed from a time on (milliseconds since 1970); undefined: at once. */
  readonly release?: { readonly readyAt: number | undefined }
}

/** What a run asks of the world. Nothing is asked for before the state that it follows from is durable. */
export interface RunWorld {
  /** Milliseconds since 1970 by the clock of the database. */
  readonly now: () => number
  /** Answers `lost` when the run belongs to somebody else by now; rejects when the change itself is refused. */
  readonly record: (change: RunChange) => Promise<'recorded' | 'lost'>
  /** The preconditions of the DAG. The three evaluations never reject; what cannot be evaluated is not met. */
  readonly checkRun: (progress: RunProgress, signal: AbortSignal) => Promise<boolean>
  readonly checkStep: (
    progress: RunProgress,
    place: number,
    signal: AbortSignal,
  ) => Promise<ConditionResult[]>
  readonly decideRepeat: (progress: RunProgress, place: number, signal: AbortSignal) => Promise<boolean>
  /** Never rejects. `stop` is aborted with a reason (lib/executors/executor.ts) when the attempt must end. */
  readonly attempt: (request: AttemptRequest) => Promise<AttemptResult>
  /** Makes the log of the run durable; called before its end is recorded. */
  readonly flush: () => Promise<void>
  /** Tells what happens, for the log of the run. */
  readonly tell: (event: RunEvent, progress: RunProgress) => void
  readonly tellEnd: (end: { readonly status: FinalRunStatus; readonly error: string } | 'given back') => void
}

export interface AttemptRequest {
  readonly progress: RunProgress
  readonly place: number
  readonly reattach: boolean
  readonly stop: AbortController
}
