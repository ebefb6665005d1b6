import type { InferOutput } from 'valibot'
import { runStatusCode, statusLabel } from '#lib/core/status.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { runLogKey, type LogStore } from '#lib/logs/log-store.ts'
import type { RunRecord } from '#lib/runs/run-record.ts'
import { runParamsText } from '#lib/runs/run-params.ts'
import type { QueuedRun, RunSummary } from '../schemas/run.ts'
import { durationMs, timestamp } from './timestamp.ts'

/** @param definition when it is at hand: shows defaults of params also before the runner has resolved them */
export function presentRunSummary(
  run: RunRecord,
  logs: LogStore,
  definition?: Definition,
): InferOutput<typeof RunSummary> {
  return {
    rootDAGRunName: run.root.dagName,
    rootDAGRunId: run.root.runId,
    parentDAGRunName: run.parent?.dagName ?? '',
    parentDAGRunId: run.parent?.runId ?? '',
    dagRunId: run.runId,
    name: run.dagName,
    status: runStatusCode(run.status),
    statusLabel: statusLabel(run.status),
    queuedAt: timestamp(run.queuedAt),
    startedAt: timestamp(run.startedAt),
    finishedAt: timestamp(run.finishedAt),
    ...durationMs(run),
    log: logs.describe(runLogKey(run)),
    params: runParamsText(run, definition),
  }
}

export function presentQueuedRun(run: RunRecord, logs: LogStore): InferOutput<typeof QueuedRun> {
  const { dagRunId, name, status, statusLabel, startedAt, finishedAt, log } = presentRunSummary(run, logs)
  return { dagRunId, name, status, statusLabel, startedAt, finishedAt, log }
}
