import type { InferOutput } from 'valibot'
import { runStatusCode, statusLabel } from '#lib/core/status.ts'
import { runLogKey } from '#lib/logs/log-store.ts'
import type { PastAttempt, RunRecord } from '#lib/runs/read/run-record.ts'
import type { RunDetails } from '../schemas/run.ts'
import type { Presentation } from './presentation.ts'
import { durationMs, timestamp } from './timestamp.ts'

type Attempts = NonNullable<InferOutput<typeof RunDetails>['attempts']>

/** The attempts of a run that was retried; no field for others. */
export function presentAttempts(
  run: RunRecord,
  { logs, labels }: Presentation,
): { readonly attempts?: Attempts } {
  if (run.pastAttempts.length === 0) return {}
  const present = ({ attempt, status, startedAt, finishedAt, error }: PastAttempt): Attempts[number] => ({
    attempt,
    status: runStatusCode(status),
    statusLabel: statusLabel(status, labels),
    startedAt: timestamp(startedAt),
    finishedAt: timestamp(finishedAt),
    ...durationMs({ startedAt, finishedAt }),
    error,
    log: startedAt === undefined ? '' : logs.describe(runLogKey({ runKey: run.runKey, attempt })),
  })
  return { attempts: [...run.pastAttempts, run].map(present) }
}
