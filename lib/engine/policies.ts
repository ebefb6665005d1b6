import { limits } from '#lib/core/limits.ts'
import type { RepeatPolicy, RetryPolicy } from '#lib/definition/definition.ts'
import type { StepProgress } from './progress.ts'

/** Exit code of an attempt whose end nobody observed. No process ends with it. */
export const lostExitCode = -1

/**
 * Whether the repeat policy executes the step again; `ask`: its condition decides. `repeat: true` ends with the first
 * failure, `while` and `until` continue despite failures. The limit counts every attempt.
 */
export function runsAgain(policy: RepeatPolicy | undefined, step: StepProgress): 'yes' | 'no' | 'ask' {
  if (policy === undefined) return 'no'
  if (policy.limit !== undefined && step.doneCount >= policy.limit) return 'no'
  if (policy.mode === 'always') return step.error === '' ? 'yes' : 'no'
  if (policy.condition !== undefined) return 'ask'
  const { exitCode = lostExitCode } = step
  return policy.exitCodes.includes(exitCode) === (policy.mode === 'while') ? 'yes' : 'no'
}

/** Whether the retry policy retries a failed attempt. It never retries one that ran into its time limit. */
export function isRetried(policy: RetryPolicy, step: StepProgress): boolean {
  if (step.timedOut || step.retryCount >= policy.limit) return false
  const { exitCode = lostExitCode } = step
  // A list of exit codes is about failures of the command; a lost attempt is retried whatever the list says.
  return policy.exitCodes.length === 0 || exitCode === lostExitCode || policy.exitCodes.includes(exitCode)
}

/** Milliseconds before a retry; the first retry is number 1. */
export function retryWaitMs(policy: RetryPolicy, retry: number): number {
  return waitMs(policy, retry - 1)
}

/** Milliseconds before the next repetition, after `doneCount` attempts. */
export function repeatWaitMs(policy: RepeatPolicy, doneCount: number): number {
  return waitMs(policy, doneCount)
}

function waitMs(
  policy: Pick<RetryPolicy, 'intervalSec' | 'backoff' | 'maxIntervalSec'>,
  power: number,
): number {
  // Zero times an infinite backoff is not a number.
  const grown = policy.intervalSec === 0 ? 0 : policy.intervalSec * policy.backoff ** power
  const seconds = Math.min(grown, policy.maxIntervalSec ?? Infinity)
  return Math.min(Math.max(Math.round(seconds * 1000), limits.stepWaitMsMin), limits.stepWaitMsMax)
}
