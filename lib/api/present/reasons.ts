import type { InferOutput } from 'valibot'
import { runStatusCode, statusLabel, type LabelSet } from '#lib/core/status.ts'
import type { Reason } from '#lib/runs/explain/explain-run.ts'
import type { RunRecord } from '#lib/runs/read/run-record.ts'
import { shownStatus } from '#lib/runs/read/shown-status.ts'
import type { WhyAnswer } from '../schemas/run.ts'

export function presentReasons(
  run: RunRecord,
  reasons: readonly Reason[],
  labels: LabelSet,
): InferOutput<typeof WhyAnswer> {
  const status = shownStatus(run)
  return {
    status: runStatusCode(status),
    statusLabel: statusLabel(status, labels),
    reasons: reasons.map(presentReason),
  }
}

export function presentReason({ runs, ...reason }: Reason): InferOutput<typeof WhyAnswer>['reasons'][number] {
  if (runs === undefined) return reason
  return { ...reason, runs: runs.map(({ dagName, runId }) => ({ name: dagName, dagRunId: runId })) }
}
