import { defineRoute } from '#lib/api/define-route.ts'
import { runLogState } from '#lib/api/logs/log-state.ts'
import { downloadLog } from '#lib/api/logs/read-log.ts'
import { LogFile, AttemptQuery } from '#lib/api/schemas/log.ts'
import { ChildPath } from '#lib/api/schemas/names.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'

export const downloadChildRunLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/log/raw',
  operationId: 'downloadChildRunLog',
  summary: 'Return the whole log of a child run as a file',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: ChildPath,
  query: AttemptQuery,
  response: LogFile,
  responseType: 'text/plain; charset=utf-8',
  async handle({ params, query }, { db, logs }) {
    const run = await getChildRun(db, params)
    return downloadLog(logs, run, runLogState(run, query))
  },
})
