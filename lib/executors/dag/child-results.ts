import type { FinalRunStatus } from '#lib/core/status.ts'
import type { ChildEnd } from './child-runs.ts'

/**
 * Names of run statuses in the environment and in results. They are those of the peer, since existing scripts compare
 * with them.
 */
export const statusWords: Readonly<Record<FinalRunStatus, string>> = {
  success: 'succeeded',
  failed: 'failed',
  cancelled: 'aborted',
  partial_success: 'partially_succeeded',
}

/** The result of one child run, as the output of its step. */
export function childResult(end: ChildEnd): string {
  return JSON.stringify(resultOf(end), undefined, 2)
}

/** The result of a fan-out, with outputs only of the children that succeeded. */
export function fanOutResult(ends: readonly ChildEnd[]): string {
  const good = ends.filter(hasSucceeded)
  const summary = { total: ends.length, succeeded: good.length, failed: ends.length - good.length }
  const outputs = good.map((end) => end.outputs)
  return JSON.stringify({ summary, results: ends.map(resultOf), outputs }, undefined, 2)
}

export function hasSucceeded(end: ChildEnd): boolean {
  return end.status === 'success' || end.status === 'partial_success'
}

function resultOf(end: ChildEnd): object {
  return {
    name: end.dagName,
    dagRunId: end.runId,
    params: end.params,
    outputs: end.outputs,
    status: statusWords[end.status],
  }
}
