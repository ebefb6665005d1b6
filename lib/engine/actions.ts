import type { FinalRunStatus } from '../core/status.ts'
import type { ConditionResult } from './progress.ts'

/** What the world is asked to do next. Steps are named by their place in the plan. */
export type Action =
  /** Evaluate the preconditions of the DAG; answer with `run-checked`. */
  | { readonly type: 'check-run' }
  /** Evaluate the preconditions of the step; answer with `step-checked`. */
  | { readonly type: 'check-step'; readonly step: number }
  /** Execute one attempt; answer with `attempt-started`, later `attempt-ended`. */
  | { readonly type: 'start-attempt'; readonly step: number }
  /** Evaluate the condition of the repeat policy; answer with `repeat-decided`. */
  | { readonly type: 'decide-repeat'; readonly step: number }
  /** Ask the attempt under way to end; answer with `stop-sent`. */
  | { readonly type: 'stop-attempt'; readonly step: number; readonly reason: 'stopped' | 'timed_out' }
  /** The time limit of the run has passed; answer with `timed-out`. */
  | { readonly type: 'time-out' }
  /** Nothing more to do before this time (milliseconds since 1970) unless an event comes. */
  | { readonly type: 'wake'; readonly at: number }
  /** Nothing more to do at all. */
  | { readonly type: 'finish'; readonly status: FinalRunStatus; readonly error: string }

/** What happened. `at` is milliseconds since 1970, always given by the caller. */
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
  /** `again`: the condition of the repeat policy asks for another execution. */
  | { readonly type: 'repeat-decided'; readonly step: number; readonly met: boolean; readonly at: number }
  | { readonly type: 'stop-sent'; readonly step: number }
  | { readonly type: 'stop-requested'; readonly at: number }
  | { readonly type: 'timed-out'; readonly at: number }
  /** A new owner took the run over: attempts under way at the old owner are lost (child runs are not: see reattach). */
  | { readonly type: 'runner-lost'; readonly at: number }

export interface AttemptResult {
  readonly exitCode: number
  /** Empty when the attempt succeeded. */
  readonly error: string
  /** The attempt ended because it was told to. */
  readonly stopped: boolean
  /** The time limit of the step ended the attempt: never retried. */
  readonly timedOut: boolean
  readonly outputs: Readonly<Record<string, string>>
  /** A text of continueOn.output was found in standard output. */
  readonly outputMatched: boolean
  /** A child run ended with partial success. */
  readonly partial: boolean
}
