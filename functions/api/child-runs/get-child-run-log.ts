import { defineRoute } from '#lib/api/define-route.ts'
import { runLogState } from '#lib/api/logs/log-state.ts'
import { readLog } from '#lib/api/logs/read-log.ts'
import { LogChunk, LogQuery } from '#lib/api/schemas/log.ts'
import { ChildPath } from '#lib/api/schemas/names.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'

export const getChildRunLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/log',
  aliases: ['/dag-runs/{name}/{dagRunId}/sub-dag-runs/{childDAGRunId}/log'],
  operationId: 'getChildRunLog',
  summary: 'Return lines of the log of a child run',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: ChildPath,
  query: LogQuery,
  response: LogChunk,
  async handle({ params, query }, { db, logs }) {
    const run = await getChildRun(db, params)
    return readLog(logs, runLogState(run, query), query)
  },
})
