import type { InferOutput } from 'valibot'
import { runStatusCode, statusLabel } from '#lib/core/status.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { runLogKey } from '#lib/logs/log-store.ts'
import type { ListedRun } from '#lib/runs/read/run-record.ts'
import { runParamsText } from '#lib/runs/start/run-params.ts'
import { shownStatus } from '#lib/runs/read/shown-status.ts'
import type { QueuedRun, RunSummary } from '../schemas/run.ts'
import type { Presentation } from './presentation.ts'
import { durationMs, timestamp } from './timestamp.ts'
import { triggerType } from './trigger-type.ts'

/** @param definition when it is available: shows defaults of params also before the runner has resolved them */
export function presentRunSummary(
  run: ListedRun,
  { logs, labels }: Presentation,
  definition?: Definition,
): InferOutput<typeof RunSummary> {
  const status = shownStatus(run)
  return {
    rootDAGRunName: run.root.dagName,
    rootDAGRunId: run.root.runId,
    parentDAGRunName: run.parent?.dagName ?? '',
    parentDAGRunId: run.parent?.runId ?? '',
    dagRunId: run.runId,
    name: run.dagName,
    status: runStatusCode(status),
    statusLabel: statusLabel(status, labels),
    queuedAt: timestamp(run.queuedAt),
    startedAt: timestamp(run.startedAt),
    finishedAt: timestamp(run.finishedAt),
    ...durationMs(run),
    log: logs.describe(runLogKey(run)),
    params: runParamsText(run, definition),
    triggerType: triggerType(run.trigger),
    ...(run.triggeredBy !== undefined && { triggeredBy: run.triggeredBy }),
    scheduleTime: timestamp(run.scheduledAt),
    workerId: run.owner ?? '',
  }
}

/** @param summary of a run, of which the documented lists of a queue show a part */
export function presentQueuedRun(summary: InferOutput<typeof RunSummary>): InferOutput<typeof QueuedRun> {
  const { dagRunId, name, status, statusLabel, startedAt, finishedAt, log } = summary
  return { dagRunId, name, status, statusLabel, startedAt, finishedAt, log }
}
