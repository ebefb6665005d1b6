import type { FinalRunStatus } from '#lib/core/status.ts'
import type { ConditionResult } from './progress.ts'

/**
 * What the world is asked to do next. Steps are named by their place in the plan. An action is asked for again until
 * the event that answers it was applied.
 */
export type Action =
  /** Evaluate the preconditions of the DAG; answer with `run-checking`, later `run-checked`. */
  | { readonly type: 'check-run' }
  /** Evaluate the preconditions of the step; answer with `step-checking`, later `step-checked`. */
  | { readonly type: 'check-step'; readonly step: number }
  /**
   * Execute one attempt; answer with `attempt-started`, later `attempt-ended`. With `reattach` the attempt is a child
   * run that was begun under an earlier owner: watch that one, begin no other.
   */
  | { readonly type: 'start-attempt'; readonly step: number; readonly reattach: boolean }
  /** Evaluate the condition of the repeat policy; answer with `repeat-deciding`, later `repeat-decided`. */
  | { readonly type: 'decide-repeat'; readonly step: number }
  /** Ask the attempt under way to end; answer with `stop-sent`. */
  | { readonly type: 'stop-attempt'; readonly step: number; readonly reason: 'stopped' | 'timed_out' }
  /** The time limit of the run has passed; answer with `timed-out`. Alone in its list. */
  | { readonly type: 'time-out' }
  /** Ask again at this time (milliseconds since 1970) unless an event comes before. At most one, last in the list. */
  | { readonly type: 'wake'; readonly at: number }
  /** Nothing more to do at all. */
  | { readonly type: 'finish'; readonly status: FinalRunStatus; readonly error: string }

/**
 * What happened. `at` is milliseconds since 1970, always given by the caller. An event that does not fit the state
 * (a late answer) changes nothing.
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
   * `met`: whether the condition of the repeat policy holds; what that means for a `while` or `until` is decided
   * here.
   */
  | { readonly type: 'repeat-decided'; readonly step: number; readonly met: boolean; readonly at: number }
  | { readonly type: 'stop-sent'; readonly step: number }
  /**
   * `at` is the time of the request: one that is not newer than the last changes nothing. Evaluations of conditions are
   * abandoned: the step leaves `checking` or `deciding` and a later answer is ignored. The same goes for `timed-out`.
   */
  | { readonly type: 'stop-requested'; readonly at: number }
  | { readonly type: 'timed-out'; readonly at: number }
  /** A new owner took the run over: attempts under way at the old owner are lost; child runs are not. */
  | { readonly type: 'runner-lost'; readonly at: number }

export interface AttemptResult {
  readonly exitCode: number
  /** Empty when the attempt succeeded. */
  readonly error: string
  /** The attempt ended because it was told to: it is cancelled, whatever its exit code. */
  readonly stopped: boolean
  /** The time limit of the step ended the attempt: never retried. */
  readonly timedOut: boolean
  readonly outputs: Readonly<Record<string, string>>
  /** A text of continueOn.output was found in standard output. */
  readonly outputMatched: boolean
  /** A child run ended with partial success. */
  readonly partial: boolean
}
