import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'
import { presentGrid } from '#lib/api/present/grid.ts'
import { presentNodes } from '#lib/api/present/run.ts'
import { presentRunSummary } from '#lib/api/present/run-summary.ts'
import { FoundDagPath } from '#lib/api/schemas/names.ts'
import { RunStatusFilter } from '#lib/api/schemas/numbers.ts'
import { HistoryAnswer } from '#lib/api/schemas/run.ts'
import { viewed, viewOf } from '#lib/api/auth/shown-to.ts'
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
  query: v.object({ status: v.exactOptional(RunStatusFilter) }),
  reply: HistoryAnswer,
  async handle({ params, query, caller }, services) {
    const { db, definitions } = services
    const dag = await findDag(db, params.fileName)
    const history = await readHistory(db, definitions, { dagName: dag.dagName, ...query })
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
