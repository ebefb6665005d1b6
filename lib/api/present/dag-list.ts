import type { InferOutput } from 'valibot'
import { runStatusCode, statusLabel } from '#lib/core/status.ts'
import type { DagPage, ListedDag } from '#lib/runs/read/list-dags-with-runs.ts'
import type { ListedRun } from '#lib/runs/read/run-record.ts'
import { shownStatus } from '#lib/runs/read/shown-status.ts'
import type { View } from '#lib/api/auth/shown-to.ts'
import type { BriefRun, DagList } from '../schemas/dag.ts'
import type { Presentation } from './presentation.ts'
import { presentNoRun } from './never-ran.ts'
import { presentRunSummary } from './run-summary.ts'
import { triggerType } from './trigger-type.ts'
import { durationMs, inMs, timestamp } from './timestamp.ts'

/** A DAG that never ran has a run that has not started as its latest one. */
export function presentDagList(
  page: DagPage,
  { view, ...presentation }: Presentation & { readonly view: View },
): InferOutput<typeof DagList> {
  const dags = page.dags.map((dag) => ({
    fileName: dag.fileName,
    dag: view.summary(dag.summary),
    latestDAGRun:
      dag.latestRun === undefined
        ? presentNoRun(dag.name, presentation)
        : presentRunSummary(dag.latestRun, presentation),
    suspended: dag.suspended,
    ...presentNextRun(dag),
    updatedAt: timestamp(dag.updatedAt),
    source: dag.sourceFile === null ? ('database' as const) : ('folder' as const),
    errors: [...dag.problems],
    ...(dag.recentRuns && { recentRuns: dag.recentRuns.map((run) => presentBriefRun(run, presentation)) }),
  }))
  return {
    dags,
    errors: page.faults.map(({ path, fault }) => `${path}: ${view.fault(fault)}`),
    pagination: paginate(page),
  }
}

/** The time with its zone is next to the field that older clients read. */
function presentNextRun({ suspended, nextRunAt, nextRunZone }: ListedDag) {
  const nextRun = suspended ? '' : timestamp(nextRunAt ?? undefined)
  if (nextRun === '') return { nextRun }
  return { nextRun, nextRunAt: nextRun, ...(nextRunZone !== null && { nextRunZone }) }
}

/** A run as one bar of a row, or as one of several results. */
export function presentBriefRun(run: ListedRun, { labels }: Presentation): InferOutput<typeof BriefRun> {
  const { runId: dagRunId, startedAt } = run
  const status = shownStatus(run)
  return {
    dagRunId,
    status: runStatusCode(status),
    statusLabel: statusLabel(status, labels),
    ...inMs({ startedAt }),
    ...durationMs(run),
    triggerType: triggerType(run.trigger),
  }
}

function paginate({ total, page, perPage }: DagPage): InferOutput<typeof DagList>['pagination'] {
  const totalPages = Math.max(1, Math.ceil(total / perPage))
  return {
    totalRecords: total,
    currentPage: page,
    totalPages,
    nextPage: page < totalPages ? page + 1 : null,
    prevPage: page > 1 ? Math.min(page - 1, totalPages) : null,
  }
}
