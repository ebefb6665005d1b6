import { limits } from '#lib/core/limits.ts'
import type { RepeatPolicy, RetryPolicy } from '#lib/definition/definition.ts'
import type { StepProgress } from './progress.ts'

/** The exit code of an attempt that nobody saw end. No process ends with it. */
export const lostExitCode = -1

/**
 * Whether a step whose attempt just ended is executed again by its repeat policy; `ask`: its condition decides.
 * `repeat: true` ends with the first failure; a `while` or `until` goes on despite failures. The limit counts every
 * attempt.
 */
export function runsAgain(policy: RepeatPolicy | undefined, step: StepProgress): 'yes' | 'no' | 'ask' {
  if (policy === undefined) return 'no'
  if (policy.limit !== undefined && step.doneCount >= policy.limit) return 'no'
  if (policy.mode === 'always') return step.error === '' ? 'yes' : 'no'
  if (policy.condition !== undefined) return 'ask'
  const { exitCode = lostExitCode } = step
  return policy.exitCodes.includes(exitCode) === (policy.mode === 'while') ? 'yes' : 'no'
}

/** Whether a failed attempt is retried. One that ran into its time limit is not. */
export function isRetried(policy: RetryPolicy, step: StepProgress): boolean {
  if (step.timedOut || step.retryCount >= policy.limit) return false
  const { exitCode = lostExitCode } = step
  // A list of codes names failures of the command, and a lost attempt is none.
  return policy.exitCodes.length === 0 || exitCode === lostExitCode || policy.exitCodes.includes(exitCode)
}

/** Milliseconds before the given retry; the first one is 1. */
export function retryWaitMs(policy: RetryPolicy, retry: number): number {
  return waitMs(policy, retry - 1)
}

/** Milliseconds before the next repetition, after so many attempts. */
export function repeatWaitMs(policy: RepeatPolicy, doneCount: number): number {
  return waitMs(policy, doneCount)
}

function waitMs(
  policy: Pick<RetryPolicy, 'intervalSec' | 'backoff' | 'maxIntervalSec'>,
  power: number,
): number {
  if (policy.intervalSec <= 0) return 0
  const seconds = Math.min(policy.intervalSec * policy.backoff ** power, policy.maxIntervalSec ?? Infinity)
  return Math.min(Math.round(seconds * 1000), limits.stepWaitMsMax)
}
