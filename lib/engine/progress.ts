import type { StepStatus } from '../core/status.ts'

/** Why a run stops starting steps before its graph is done. */
export type Ending = 'stopped' | 'timed_out' | 'precondition_unmet' | 'init_failed'

/**
 * What a step is doing:
 *  idle       not begun, or at its end
 *  checking   its preconditions are being evaluated
 *  executing  an attempt is under way
 *  stopping   an attempt was told to end
 *  waiting    for `waitUntil`, before a retry or a repetition
 *  deciding   the condition of its repeat policy is being evaluated
 */
export type StepPhase = 'idle' | 'checking' | 'executing' | 'stopping' | 'waiting' | 'deciding'

export interface StepProgress {
  readonly status: StepStatus
  readonly phase: StepPhase
  /** Retries so far; 0 for the first attempt. */
  readonly retryCount: number
  /** Attempts that came to their end. */
  readonly doneCount: number
  /** Milliseconds since 1970. */
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
  readonly waitUntil: number | undefined
  readonly exitCode: number | undefined
  readonly error: string
  /** True when continueOn let the run go on behind this failed or skipped step. */
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
  /** When the last attempt was started; spaces starts by `delaySec`. */
  readonly lastStartAt: number | undefined
  readonly steps: readonly StepProgress[]
}
