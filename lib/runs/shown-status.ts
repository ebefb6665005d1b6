import type { RunStatus } from '#lib/core/status.ts'
import type { RunRecord } from './run-record.ts'

/** The status that callers see: a run of a queue that may start counts as queued until a runner claims it. */
export function shownStatus({ status, queue }: Pick<RunRecord, 'status' | 'queue'>): RunStatus {
  return status === 'not_started' && queue !== undefined ? 'queued' : status
}
