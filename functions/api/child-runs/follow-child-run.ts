import { defineRoute } from '#lib/api/define-route.ts'
import { followRun } from '#lib/api/streams/follow-run.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { EventText } from '#lib/api/schemas/log.ts'
import { FormQuery } from '#lib/api/schemas/run-outline.ts'
import { ChildPath } from '#lib/api/schemas/names.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'

export const followChildRun = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/events',
  operationId: 'followChildRun',
  summary: 'Follow a child run, with the events of a root run',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: ChildPath,
  query: FormQuery,
  response: EventText,
  responseType: 'text/event-stream',
  async handle({ params, query, headers, caller }, services) {
    const run = await getChildRun(services.db, params)
    const { form = 'whole' } = query
    return followRun({ ...services, view: viewOf(caller), form }, run, headers.get('last-event-id'))
  },
})
