import { defineRoute } from '#lib/api/define-route.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { requestStop } from '#lib/runs/stop/stop-run.ts'

export const stopDagRun = defineRoute({
  method: 'post',
  path: '/dag-runs/{name}/{dagRunId}/stop',
  operationId: 'stopDagRun',
  summary: 'Stop an active run and its child runs',
  access: 'run',
  status: 200,
  errors: ['bad_request', 'not_found', 'not_running'],
  params: RunPath,
  async handle({ params }, { db }) {
    await requestStop(db, await getRun(db, { dagName: params.name, runId: params.dagRunId }))
  },
})
