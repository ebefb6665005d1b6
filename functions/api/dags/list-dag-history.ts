import { viewOf } from '#lib/api/auth/shown-to.ts'
import { defineRoute } from '#lib/api/define-route.ts'
import { presentHistory } from '#lib/api/present/history.ts'
import { FoundDagPath } from '#lib/api/schemas/names.ts'
import { HistoryQuery } from '#lib/api/schemas/run-filter.ts'
import { HistoryAnswer } from '#lib/api/schemas/run.ts'
import { findDag } from '#lib/dags/get-dag.ts'

export const listDagHistory = defineRoute({
  method: 'get',
  path: '/dags/{fileName}/dag-runs',
  operationId: 'listDagHistory',
  summary: 'Show the newest runs of a DAG and a grid of their step statuses',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: FoundDagPath,
  query: HistoryQuery,
  response: HistoryAnswer,
  async handle({ params, query, caller }, services) {
    const { dagName } = await findDag(services.db, params.fileName)
    return await presentHistory(services, dagName, query, viewOf(caller))
  },
})
