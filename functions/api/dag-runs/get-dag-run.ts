import { defineRoute, Json } from '#lib/api/define-route.ts'
import { viewOf } from '#lib/api/shown-to.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { RunAnswer } from '#lib/api/schemas/run.ts'

export const getDagRun = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}',
  operationId: 'getDagRun',
  summary: 'Show a run with its steps',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  reply: RunAnswer,
  async handle({ params, caller }, { runDetails }) {
    const details = await runDetails.read({ dagName: params.name, runId: params.dagRunId }, viewOf(caller))
    return new Json(`{"dagRun":${details},"dagRunDetails":${details}}`)
  },
})
