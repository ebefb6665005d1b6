import { defineRoute } from '#lib/api/define-route.ts'
import { runLogState } from '#lib/api/logs/log-state.ts'
import { findInLog } from '#lib/api/logs/read-log.ts'
import { LogMatches, SearchRunLogQuery } from '#lib/api/schemas/log.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { getRun } from '#lib/runs/read/get-run.ts'

export const searchDagRunLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/log/search',
  operationId: 'searchDagRunLog',
  summary: 'Find the lines of the log of a run that contain a text or match an RE2 expression',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found', 'service_unavailable'],
  params: RunPath,
  query: SearchRunLogQuery,
  response: LogMatches,
  responseType: 'application/x-ndjson',
  async handle({ params, query }, { db, logs, takeLogSearch }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    return findInLog(logs, runLogState(run, query), query, takeLogSearch)
  },
})
