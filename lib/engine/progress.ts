import { invariant } from '#lib/core/errors.ts'
import type { StepStatus } from '#lib/core/status.ts'

/** Why a run stops starting steps before its graph is done. */
export type Ending = 'stopped' | 'timed_out' | 'precondition_unmet' | 'init_failed'

/**
 * What a step is doing:
 *  idle          not begun, or at its end
 *  checking      its preconditions are being evaluated
 *  waiting       for `waitUntil`: checked and about to begin (still `not_started`), or before a retry or a repetition
 *  executing     an attempt is under way
 *  stopping      an attempt was told to end
 *  reattach_due  an attempt is under way in a child run, which its new owner does not watch yet
 *  decision_due  an attempt ended, and the condition of the repeat policy must be evaluated
 *  deciding      that condition is being evaluated
 */
export type StepPhase =
  | 'idle'
  | 'checking'
  | 'waiting'
  | 'executing'
  | 'stopping'
  | 'reattach_due'
  | 'decision_due'
  | 'deciding'

export interface StepProgress {
  readonly status: StepStatus
  readonly phase: StepPhase
  /** The attempt under way must be told to end. */
  readonly stopDue: boolean
  /** Retries so far; 0 for the first attempt. */
  readonly retryCount: number
  /** Attempts that came to their end by themselves, retries and repetitions alike. */
  readonly doneCount: number
  /** Milliseconds since 1970. */
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
  readonly waitUntil: number | undefined
  /** Of the last attempt; -1: nobody saw it end. */
  readonly exitCode: number | undefined
  readonly error: string
  /** The last attempt ran into the time limit of the step. */
  readonly timedOut: boolean
  /**
   * True when continueOn let the run go on behind this failed or skipped step. On a successful step: its child run
   * ended with partial success. Either way the run is at best a partial success, unless the step was skipped.
   */
  readonly tolerated: boolean
  /** Captured variables of the last attempt. */
  readonly outputs: Readonly<Record<string, string>>
  /** Result of each precondition in order; the error text says why one was not met. */
  readonly conditions: readonly ConditionResult[]
}

export interface ConditionResult {
  readonly met: boolean
  readonly error: string
}

/** Everything the engine knows of a run. Steps stand in the order of the plan: the DAG's, then the handlers'. */
export interface RunProgress {
  readonly startedAt: number
  /** False until the preconditions of the DAG were evaluated. */
  readonly checked: boolean
  readonly checking: boolean
  readonly ending: Ending | undefined
  /** Time of the newest stop request that was taken into account. */
  readonly stoppedAt: number | undefined
  /** When the last attempt of a step of the DAG was started; spaces starts by `delaySec`. */
  readonly lastStartAt: number | undefined
  readonly steps: readonly StepProgress[]
  readonly tally: Tally
}

/**
 * What follows from `steps` and is kept with them, so that an event costs little in a large graph. About the steps
 * of the DAG only; lists of places are ascending.
 */
export interface Tally {
  /** Steps that are not at their end. */
  readonly open: number
  /** Steps that occupy one of `maxActiveSteps`. */
  readonly active: number
  /** By place: how many steps it depends on are not at their end (a step named twice counts twice). */
  readonly pending: readonly number[]
  /** Not begun, and nothing pending. */
  readonly ready: readonly number[]
  /** Begun, and something is owed to them now or at a time. */
  readonly due: readonly number[]
}

/** Which execution by the repeat policy the attempt under way belongs to: 0 for the first. */
export function roundOf(step: StepProgress): number {
  return step.doneCount - step.retryCount
}

/** The state of the step at a place of the plan. */
export function stepAt(of: { readonly steps: readonly StepProgress[] }, place: number): StepProgress {
  const step = of.steps[place]
  invariant(step, `the run has no step at ${place}`)
  return step
}
