import type { InferOutput } from 'valibot'
import type { DagPage } from '#lib/dags/list-dags.ts'
import type { RunRecord } from '#lib/runs/run-record.ts'
import type { DagList } from '../schemas/dag.ts'
import type { Presentation } from './presentation.ts'
import { presentNoRun } from './never-ran.ts'
import { presentRunSummary } from './run-summary.ts'
import { timestamp } from './timestamp.ts'

/** @param runs the newest run of each DAG by DAG name; absent for those that never ran */
export function presentDagList(
  page: DagPage,
  runs: ReadonlyMap<string, RunRecord>,
  presentation: Presentation,
): InferOutput<typeof DagList> {
  const dags = page.dags.map((dag) => {
    const run = runs.get(dag.dagName)
    return {
      fileName: dag.fileName,
      dag: dag.summary,
      latestDAGRun:
        run === undefined ? presentNoRun(dag.dagName, presentation) : presentRunSummary(run, presentation),
      suspended: dag.suspended,
      nextRun: dag.suspended ? '' : timestamp(dag.nextRunAt ?? undefined),
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
