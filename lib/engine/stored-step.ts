import type { StepStatus } from '#lib/core/status.ts'
import type { ConditionResult, StepProgress } from './progress.ts'

/** A try that has ended, as it is stored. Times are milliseconds since 1970. */
export interface StoredTry {
  /** Of the run. */
  readonly attempt: number
  readonly number: number
  readonly startedAt?: number
  readonly finishedAt: number
  readonly exitCode: number
  readonly error: string
  readonly logLine?: number
}

/** A step as it is stored. A step that has not begun has no row. Times are milliseconds since 1970. */
export interface StoredStep {
  readonly name: string
  readonly status: StepStatus
  /** `executing` with an exit code: the attempt has ended, and whether to repeat the step is not decided yet. */
  readonly phase: 'executing' | 'waiting' | null
  /** The attempt of the run in which the step last ran; its log belongs to that attempt. */
  readonly attempt: number
  readonly retryCount: number
  readonly doneCount: number
  readonly waitUntil: number | null
  readonly exitCode: number | null
  readonly error: string
  readonly tolerated: boolean
  readonly outputs: Readonly<Record<string, string>>
  readonly conditions: readonly ConditionResult[]
  readonly startedAt: number | null
  readonly finishedAt: number | null
  /** The try that ended last, of a step that has had several or is to have another; the others are kept beside it. */
  readonly tried?: StoredTry
}

/** Characters of the error of a try that are kept. */
const tryErrorLengthMax = 200

/** The row of a step. */
export function storedStep(name: string, step: StepProgress, attempt: number): StoredStep {
  const { status, retryCount, doneCount, error, tolerated, outputs, conditions } = step
  const row = {
    name,
    status,
    attempt,
    retryCount,
    doneCount,
    error,
    tolerated,
    outputs,
    conditions,
  }
  const isWaiting = status === 'running' && step.phase === 'waiting'
  return {
    ...row,
    phase: status !== 'running' ? null : isWaiting ? 'waiting' : 'executing',
    waitUntil: isWaiting ? (step.waitUntil ?? null) : null,
    exitCode: step.exitCode ?? null,
    startedAt: step.startedAt ?? null,
    finishedAt: step.finishedAt ?? null,
    ...triedOf(step, attempt),
  }
}

/** The row of a step that needed one try holds everything about it. */
function triedOf({ status, lastTry }: StepProgress, attempt: number): Pick<StoredStep, 'tried'> {
  if (lastTry === undefined || (lastTry.number === 1 && status !== 'running')) return {}
  const { number, startedAt, finishedAt, exitCode, error, logLine } = lastTry
  return {
    tried: {
      attempt,
      number,
      finishedAt,
      exitCode,
      error: error.slice(0, tryErrorLengthMax).toWellFormed(),
      ...(startedAt !== undefined && { startedAt }),
      ...(logLine !== undefined && { logLine }),
    },
  }
}
