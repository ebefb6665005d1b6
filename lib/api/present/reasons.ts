import type { InferOutput } from 'valibot'
import { runStatusCode, statusLabel } from '#lib/core/status.ts'
import type { Reason } from '#lib/runs/explain-run.ts'
import type { RunRecord } from '#lib/runs/run-record.ts'
import type { WhyAnswer } from '../schemas/run.ts'

export function presentReasons(run: RunRecord, reasons: readonly Reason[]): InferOutput<typeof WhyAnswer> {
  return {
    status: runStatusCode(run.status),
    statusLabel: statusLabel(run.status),
    reasons: reasons.map(({ runs, ...reason }) => ({
      ...reason,
      ...(runs !== undefined && {
        runs: runs.map(({ dagName, runId }) => ({ name: dagName, dagRunId: runId })),
      }),
    })),
  }
}
