import { defineRoute } from '#lib/api/define-route.ts'
import { runLogState } from '#lib/api/logs/log-state.ts'
import { downloadLog } from '#lib/api/logs/read-log.ts'
import { LogFile, AttemptQuery } from '#lib/api/schemas/log.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { getRun } from '#lib/runs/read/get-run.ts'

export const downloadDagRunLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/log/raw',
  operationId: 'downloadDagRunLog',
  summary: 'Return the whole log of a run as a file',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  query: AttemptQuery,
  response: LogFile,
  responseType: 'text/plain; charset=utf-8',
  async handle({ params, query }, { db, logs }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    return downloadLog(logs, run, runLogState(run, query))
  },
})
