import type { FinalRunStatus } from '#lib/core/status.ts'
import type { ConditionResult } from './progress.ts'

/**
 * What the runner must do next. Steps are identified by their index in the plan. The engine asks for an action again
 * until the event that answers it was applied.
 */
export type Action =
  /** Evaluate the preconditions of the DAG; answer with `run-checking`, later `run-checked`. */
  | { readonly type: 'check-run' }
  /** Evaluate the preconditions of the step; answer with `step-checking`, later `step-checked`. */
  | { readonly type: 'check-step'; readonly step: number }
  /**
   * Execute one attempt; answer with `attempt-started`, later `attempt-ended`. With `reattach`, the attempt is a child
   * run that a previous owner began: watch it, and begin no other.
   */
  | { readonly type: 'start-attempt'; readonly step: number; readonly reattach: boolean }
  /** Evaluate the condition of the repeat policy; answer with `repeat-deciding`, later `repeat-decided`. */
  | { readonly type: 'decide-repeat'; readonly step: number }
  /** Ask the running attempt to end; answer with `stop-sent`. */
  | { readonly type: 'stop-attempt'; readonly step: number; readonly reason: 'stopped' | 'timed_out' }
  /** The time limit of the run has passed; answer with `timed-out`. The only action of its list. */
  | { readonly type: 'time-out' }
  /** Ask again at this time (milliseconds since 1970), or after the next event. At most one, last in the list. */
  | { readonly type: 'wake'; readonly at: number }
  /** The run is over. */
  | { readonly type: 'finish'; readonly status: FinalRunStatus; readonly error: string }

/**
 * What happened. `at` is milliseconds since 1970 and is always given by the caller. An event that does not fit the
 * state, such as a late answer, changes nothing.
 */
export type RunEvent =
  | { readonly type: 'run-checking' }
  | { readonly type: 'run-checked'; readonly met: boolean }
  | { readonly type: 'step-checking'; readonly step: number }
  | {
      readonly type: 'step-checked'
      readonly step: number
      readonly conditions: readonly ConditionResult[]
      readonly at: number
    }
  | { readonly type: 'attempt-started'; readonly step: number; readonly at: number }
  | {
      readonly type: 'attempt-ended'
      readonly step: number
      readonly at: number
      readonly result: AttemptResult
    }
  | { readonly type: 'repeat-deciding'; readonly step: number }
  /**
   * `met`: whether the condition of the repeat policy holds. Its meaning for `while` and `until` is decided in the
   * engine.
   */
  | { readonly type: 'repeat-decided'; readonly step: number; readonly met: boolean; readonly at: number }
  | { readonly type: 'stop-sent'; readonly step: number }
  /**
   * `at` is the time of the request; a request that is not newer than the last one changes nothing. Evaluations of
   * conditions are abandoned: the step leaves `checking` or `deciding`, and a later answer is ignored. `timed-out` does
   * the same.
   */
  | { readonly type: 'stop-requested'; readonly at: number }
  | { readonly type: 'timed-out'; readonly at: number }
  /**
   * A new owner took the run over. Attempts that ran under the old owner are lost; child runs are not. `isLast`: too
   * many owners were lost, and this one only ends the run.
   */
  | { readonly type: 'runner-lost'; readonly at: number; readonly isLast?: boolean }

export interface AttemptResult {
  readonly exitCode: number
  /** Empty when the attempt succeeded. */
  readonly error: string
  /** The attempt ended because it was asked to: it counts as cancelled, whatever its exit code. */
  readonly stopped: boolean
  /** The attempt ran into the time limit of the step; it is never retried. */
  readonly timedOut: boolean
  readonly outputs: Readonly<Record<string, string>>
  /** A text of continueOn.output was found in standard output. */
  readonly outputMatched: boolean
  /** A child run ended with partial success. */
  readonly partial: boolean
  /** The line of standard output at which the attempt began to write, counted from 1. */
  readonly logLine?: number
}
