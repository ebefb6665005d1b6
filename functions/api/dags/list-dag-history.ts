import { defineRoute } from '#lib/api/define-route.ts'
import { presentGrid } from '#lib/api/present/grid.ts'
import { presentNodes } from '#lib/api/present/run.ts'
import { presentRunSummary } from '#lib/api/present/run-summary.ts'
import { FoundDagPath } from '#lib/api/schemas/names.ts'
import { HistoryQuery } from '#lib/api/schemas/run-filter.ts'
import { HistoryAnswer } from '#lib/api/schemas/run.ts'
import { viewed, viewOf } from '#lib/api/auth/shown-to.ts'
import { limits } from '#lib/core/limits.ts'
import { findDag } from '#lib/dags/get-dag.ts'
import { readHistory } from '#lib/runs/read/read-history.ts'

export const listDagHistory = defineRoute({
  method: 'get',
  path: '/dags/{fileName}/dag-runs',
  operationId: 'listDagHistory',
  summary: 'Show the newest runs of a DAG and a grid of the states of their steps',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: FoundDagPath,
  query: HistoryQuery,
  reply: HistoryAnswer,
  async handle({ params, query, caller }, services) {
    const { db, definitions } = services
    const dag = await findDag(db, params.fileName)
    const { limit = limits.historyRunsMax, cursor, nodes, ...filter } = query
    const page = { limit, cursor }
    const { runs, next } = await readHistory(db, definitions, { dagName: dag.dagName, ...filter }, page)
    const view = viewOf(caller)
    return {
      dagRuns: runs.map((state) => ({
        ...presentRunSummary(state.run, services),
        nodes: nodes === 'none' ? [] : presentNodes(viewed(state, view), services),
      })),
      gridData: presentGrid(runs),
      ...(next !== undefined && query.limit !== undefined && { nextCursor: next }),
    }
  },
})
