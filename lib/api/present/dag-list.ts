import type { InferOutput } from 'valibot'
import type { DagPage } from '#lib/runs/list-dags-with-runs.ts'
import type { DagList } from '../schemas/dag.ts'
import type { Presentation } from './presentation.ts'
import { presentNoRun } from './never-ran.ts'
import { presentRunSummary } from './run-summary.ts'
import { timestamp } from './timestamp.ts'

/** A DAG that never ran has a run that has not started as its latest one. */
export function presentDagList(page: DagPage, presentation: Presentation): InferOutput<typeof DagList> {
  const dags = page.dags.map((dag) => ({
    fileName: dag.fileName,
    dag: dag.summary,
    latestDAGRun:
      dag.latestRun === undefined
        ? presentNoRun(dag.name, presentation)
        : presentRunSummary(dag.latestRun, presentation),
    suspended: dag.suspended,
    nextRun: dag.suspended ? '' : timestamp(dag.nextRunAt ?? undefined),
    errors: [...dag.problems],
  }))
  return { dags, errors: [], pagination: paginate(page) }
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
