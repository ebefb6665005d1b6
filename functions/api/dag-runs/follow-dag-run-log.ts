import { defineRoute } from '#lib/api/define-route.ts'
import { streamRunLog } from '#lib/api/logs/stream-log.ts'
import { EventText, PositionQuery } from '#lib/api/schemas/log.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { getRun } from '#lib/runs/read/get-run.ts'

export const followDagRunLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/log/stream',
  operationId: 'followDagRunLog',
  summary: 'Follow the log of a run: whole lines (lines), pieces of a very long one (part), then end',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  query: PositionQuery,
  response: EventText,
  responseType: 'text/event-stream',
  async handle({ params, query, headers }, services) {
    const run = await getRun(services.db, { dagName: params.name, runId: params.dagRunId })
    return streamRunLog(services, run, { query, headers })
  },
})
