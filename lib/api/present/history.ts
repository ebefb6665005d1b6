import type { InferOutput } from 'valibot'
import { viewed, type View } from '#lib/api/auth/shown-to.ts'
import { limits } from '#lib/core/limits.ts'
import { readGrid } from '#lib/runs/read/read-grid.ts'
import { readHistory } from '#lib/runs/read/read-history.ts'
import type { HistoryQuery } from '../schemas/run-filter.ts'
import type { HistoryAnswer } from '../schemas/run.ts'
import type { Services } from '../services.ts'
import { presentGrid } from './grid.ts'
import { presentNodes } from './run.ts'
import { presentRunSummary } from './run-summary.ts'

/** The newest runs of a DAG, or a page of them when the query has a limit, with the states of their steps. */
export async function presentHistory(
  services: Pick<Services, 'db' | 'definitions' | 'logs' | 'labels'>,
  dagName: string,
  { limit, cursor, nodes, ...filter }: InferOutput<typeof HistoryQuery>,
  view: View,
): Promise<InferOutput<typeof HistoryAnswer>> {
  const { db, definitions } = services
  const asked = [
    { dagName, ...filter },
    { limit: limit ?? limits.historyRunsMax, cursor },
  ] as const
  const rest = (next: string | undefined) => next !== undefined && limit !== undefined && { nextCursor: next }
  if (nodes === 'none') {
    const { runs, next } = await readGrid(db, definitions, ...asked)
    const dagRuns = runs.map(({ run }) => ({ ...presentRunSummary(run, services), nodes: [] }))
    return { dagRuns, gridData: presentGrid(runs), ...rest(next) }
  }
  const { runs, next } = await readHistory(db, definitions, ...asked)
  const dagRuns = runs.map((state) => ({
    ...presentRunSummary(state.run, services),
    nodes: presentNodes(viewed(state, view), services),
  }))
  return { dagRuns, gridData: presentGrid(runs), ...rest(next) }
}
