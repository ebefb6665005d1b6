import type { RunStatus } from '#lib/core/status.ts'
import type { RunRecord } from './run-record.ts'

/**
 * The status that callers see: a promoted run counts as queued until a runner claims it. A retry does not wait in the
 * queue.
 */
export function shownStatus({
  status,
  queuedAt,
  attempt,
}: Pick<RunRecord, 'status' | 'queuedAt' | 'attempt'>): RunStatus {
  return status === 'not_started' && queuedAt !== undefined && attempt === 1 ? 'queued' : status
}
