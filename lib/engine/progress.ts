import { invariant } from '#lib/core/errors.ts'
import type { StepStatus } from '#lib/core/status.ts'

/** Why a run starts no more steps before its graph is done. */
export type Ending = 'stopped' | 'timed_out' | 'precondition_unmet' | 'init_failed' | 'runner_lost'

/**
 * What a step is doing:
 *  idle          not begun, or ended
 *  checking      its preconditions are being evaluated
 *  waiting       until `waitUntil`: about to begin (still `not_started`), or before a retry or a repetition
 *  executing     an attempt is running
 *  stopping      the running attempt was asked to stop
 *  reattach_due  an attempt is running as a child run, which the new owner of the run does not watch yet
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

/** A try of a step that has ended: one execution, of which retries and repetitions make several. */
export interface EndedTry {
  /** 1 for the first in an attempt of the run. */
  readonly number: number
  /** Milliseconds since 1970; undefined when another runner began it. */
  readonly startedAt: number | undefined
  readonly finishedAt: number
  readonly exitCode: number
  readonly error: string
  /** The line of standard output at which it began to write, counted from 1. */
  readonly logLine: number | undefined
}

export interface StepProgress {
  readonly status: StepStatus
  readonly phase: StepPhase
  /** The running attempt must be asked to end. */
  readonly stopDue: boolean
  /** Number of retries so far; 0 during the first attempt. */
  readonly retryCount: number
  /** Number of attempts that ended by themselves; retries and repetitions count. */
  readonly doneCount: number
  /** Milliseconds since 1970. */
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
  readonly waitUntil: number | undefined
  /** When the present try began. */
  readonly triedAt: number | undefined
  readonly lastTry: EndedTry | undefined
  /** Exit code of the last attempt; -1: nobody observed its end. */
  readonly exitCode: number | undefined
  readonly error: string
  /** True when the last attempt ran into the time limit of the step. */
  readonly timedOut: boolean
  /**
   * On a failed or skipped step: `continueOn` let the run continue. On a successful step: its child run ended with
   * partial success. Unless the step was skipped, the run is then at best a partial success.
   */
  readonly tolerated: boolean
  /** Variables captured by the last attempt. */
  readonly outputs: Readonly<Record<string, string>>
  /** Results of the preconditions, in order. The error says why one was not met. */
  readonly conditions: readonly ConditionResult[]
}

export interface ConditionResult {
  readonly met: boolean
  readonly error: string
}

/**
 * The whole state of a run, as the engine knows it. Steps are in the order of the plan: the DAG's, then the handlers.
 */
export interface RunProgress {
  readonly startedAt: number
  /** True once the preconditions of the DAG were evaluated. */
  readonly checked: boolean
  readonly checking: boolean
  readonly ending: Ending | undefined
  /** Time of the newest stop request that was applied. */
  readonly stoppedAt: number | undefined
  /** Start of the most recent attempt of a step of the DAG, for `delaySec`. */
  readonly lastStartAt: number | undefined
  readonly steps: readonly StepProgress[]
  readonly counts: GraphCounts
}

/**
 * Derived from `steps` and maintained with them, so that an event is cheap in a large graph. Only about steps of the
 * DAG; lists of indices are ascending.
 */
export interface GraphCounts {
  /** Steps that have not ended. */
  readonly open: number
  /** Steps that count against `maxActiveSteps`. */
  readonly active: number
  /** By index: number of dependencies that have not ended (a step listed twice counts twice). */
  readonly pending: readonly number[]
  /** Steps that have not begun and have no pending dependency. */
  readonly ready: readonly number[]
  /** Steps that have begun and need an action, now or at some time. */
  readonly due: readonly number[]
}

/** Number of the repetition to which the running attempt belongs; 0 is the first execution. */
export function iterationOf(step: StepProgress): number {
  return step.doneCount - step.retryCount
}

/** The step at an index of the plan. */
export function stepAt(of: { readonly steps: readonly StepProgress[] }, index: number): StepProgress {
  const step = of.steps[index]
  invariant(step, `the run has no step at ${index}`)
  return step
}
