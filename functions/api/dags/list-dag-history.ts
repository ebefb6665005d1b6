import { defineRoute } from '#lib/api/define-route.ts'
import { presentGrid } from '#lib/api/present/grid.ts'
import { presentNodes } from '#lib/api/present/run.ts'
import { presentRunSummary } from '#lib/api/present/run-summary.ts'
import { DagPath } from '#lib/api/schemas/names.ts'
import { HistoryAnswer } from '#lib/api/schemas/run.ts'
import { viewed, viewOf } from '#lib/api/shown-to.ts'
import { getDag } from '#lib/dags/get-dag.ts'
import { readHistory } from '#lib/runs/read-history.ts'

export const listDagHistory = defineRoute({
  method: 'get',
  path: '/dags/{fileName}/dag-runs',
  operationId: 'listDagHistory',
  summary: 'Show the newest runs of a DAG and a grid of the states of their steps',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: DagPath,
  reply: HistoryAnswer,
  async handle({ params, caller }, services) {
    const { db, definitions } = services
    const dag = await getDag(db, params.fileName)
    const history = await readHistory(db, definitions, dag.dagName)
    const view = viewOf(caller)
    return {
      dagRuns: history.map((state) => ({
        ...presentRunSummary(state.run, services),
        nodes: presentNodes(viewed(state, view), services),
      })),
      gridData: presentGrid(history),
    }
  },
})
