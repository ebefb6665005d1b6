import type { Action, RunEvent } from '#lib/engine/actions.ts'
import type { RunProgress } from '#lib/engine/progress.ts'
import type { RecordItem } from '#lib/runs/claim/record-progress.ts'

/** An action that takes time and results in an event. */
export type LongAction = Extract<
  Action,
  { type: 'check-run' | 'check-step' | 'start-attempt' | 'decide-repeat' }
>

/** How a session ends, unless the run is lost. */
export type RunEnd = Required<Pick<RecordItem, 'finish'>> | Required<Pick<RecordItem, 'release'>>

/** A change of a run that must become durable. */
export interface RunChange {
  /** The last state that is durable or in flight to the database. */
  readonly before: RunProgress
  readonly after: RunProgress
  /** True when an attempt ended under this owner since the last change. */
  readonly survived: boolean
  readonly end?: RunEnd | undefined
}

/** The side effects of a run. None is performed before the state that led to it is durable. */
export interface RunEffects {
  /** The clock of the database, milliseconds since 1970. */
  readonly now: () => number
  /** Resolves to `lost` when another runner owns the run; rejects when the database refuses the change itself. */
  readonly record: (change: RunChange) => Promise<'recorded' | 'lost'>
  /**
   * Performs an action and resolves to the event with its result. Never rejects: a condition that cannot be evaluated
   * is not met. `stop` is aborted with a reason (lib/executors/executor.ts) to end it.
   */
  readonly perform: (action: LongAction, progress: RunProgress, stop: AbortController) => Promise<RunEvent>
  /** Makes the log of the run durable; called before the end of the run is recorded. */
  readonly flush: () => Promise<void>
  /** Writes the line for an event to the log of the run. */
  readonly publish: (event: RunEvent, progress: RunProgress) => void
  readonly publishEnd: (end: RunEnd) => void
}
