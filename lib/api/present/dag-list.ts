import type { InferOutput } from 'valibot'
import type { DagPage } from '#lib/dags/list-dags.ts'
import type { LogStore } from '#lib/logs/log-store.ts'
import type { RunRecord } from '#lib/runs/run-record.ts'
import type { DagList } from '../schemas/dag.ts'
import { presentRunSummary } from './run-summary.ts'

/** @param runs the newest run of each DAG by DAG name; absent for those that never ran */
export function presentDagList(
  page: DagPage,
  runs: ReadonlyMap<string, RunRecord>,
  logs: LogStore,
): InferOutput<typeof DagList> {
  const dags = page.dags.map((dag) => {
    const run = runs.get(dag.dagName)
    return {
      fileName: dag.fileName,
      dag: dag.summary,
      ...(run && { latestDAGRun: presentRunSummary(run, logs) }),
      suspended: dag.suspended,
      errors: [...dag.problems],
    }
  })
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
