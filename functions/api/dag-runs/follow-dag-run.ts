import { defineRoute, NoContent } from '#lib/api/define-route.ts'
import { followRun, hasSeenEnd } from '#lib/api/streams/follow-run.ts'
import { viewOf, viewed } from '#lib/api/auth/shown-to.ts'
import { EventText } from '#lib/api/schemas/log.ts'
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
  reply: EventText,
  replyType: 'text/event-stream',
  async handle({ params, headers, caller }, services) {
    const { db, watch } = services
    const { dagName, runId } = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    const view = viewOf(caller)
    const state = viewed(await watch.state({ dagName, runId }), view)
    const seen = headers.get('last-event-id')
    return hasSeenEnd(state, services, seen) ? new NoContent() : followRun({ ...services, view }, state, seen)
  },
})
