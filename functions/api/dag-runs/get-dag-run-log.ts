import { defineRoute } from '#lib/api/define-route.ts'
import { runLogState } from '#lib/api/logs/log-state.ts'
import { readLog } from '#lib/api/logs/read-log.ts'
import { LogChunk, LogQuery } from '#lib/api/schemas/log.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { getRun } from '#lib/runs/read/get-run.ts'

export const getDagRunLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/log',
  operationId: 'getDagRunLog',
  summary: 'Return lines of the log of a run',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  query: LogQuery,
  response: LogChunk,
  async handle({ params, query }, { db, logs }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    return readLog(logs, runLogState(run, query), query)
  },
})
