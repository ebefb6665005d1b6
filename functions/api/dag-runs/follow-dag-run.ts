import { defineRoute } from '#lib/api/define-route.ts'
import { followRun } from '#lib/api/streams/follow-run.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { EventText } from '#lib/api/schemas/log.ts'
import { FormQuery } from '#lib/api/schemas/run-outline.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { getRun } from '#lib/runs/read/get-run.ts'

export const followDagRun = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/events',
  operationId: 'followDagRun',
  summary: 'Follow a run: its state, then each change of the run (run) and of its steps (step), then end',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  query: FormQuery,
  response: EventText,
  responseType: 'text/event-stream',
  async handle({ params, query, headers, caller }, services) {
    const run = await getRun(services.db, { dagName: params.name, runId: params.dagRunId })
    const { form = 'whole' } = query
    return followRun({ ...services, view: viewOf(caller), form }, run, headers.get('last-event-id'))
  },
})
