import { defineRoute } from '#lib/api/define-route.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { dequeueRun } from '#lib/runs/stop/dequeue-run.ts'

export const dequeueDagRun = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/dequeue',
  operationId: 'dequeueDagRun',
  summary: 'Remove a queued run from its queue; the history keeps it as cancelled',
  access: 'run',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  async handle({ params }, { db }) {
    await dequeueRun(db, await getRun(db, { dagName: params.name, runId: params.dagRunId }))
  },
})
