import { defineRoute } from '#lib/api/define-route.ts'
import { runLogState } from '#lib/api/logs/log-state.ts'
import { findInLog } from '#lib/api/logs/read-log.ts'
import { LogMatches, SearchRunLogQuery } from '#lib/api/schemas/log.ts'
import { ChildPath } from '#lib/api/schemas/names.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'

export const searchChildRunLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/log/search',
  operationId: 'searchChildRunLog',
  summary: 'Find the lines of the log of a child run that contain a text or match an RE2 expression',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found', 'service_unavailable'],
  params: ChildPath,
  query: SearchRunLogQuery,
  response: LogMatches,
  responseType: 'application/x-ndjson',
  async handle({ params, query }, { db, logs, takeLogSearch }) {
    const run = await getChildRun(db, params)
    return findInLog(logs, runLogState(run, query), query, takeLogSearch)
  },
})
