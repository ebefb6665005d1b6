import { defineRoute } from '#lib/api/define-route.ts'
import { streamRunLog } from '#lib/api/logs/stream-log.ts'
import { EventText, PositionQuery } from '#lib/api/schemas/log.ts'
import { ChildPath } from '#lib/api/schemas/names.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'

export const followChildRunLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/log/stream',
  operationId: 'followChildRunLog',
  summary: 'Follow the log of a child run, with the events of the log of a run',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: ChildPath,
  query: PositionQuery,
  response: EventText,
  responseType: 'text/event-stream',
  async handle({ params, query, headers }, services) {
    const run = await getChildRun(services.db, params)
    return streamRunLog(services, run, { query, headers })
  },
})
