import { defineRoute } from '#lib/api/define-route.ts'
import { explain } from '#lib/api/answers/explain.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { WhyAnswer } from '#lib/api/schemas/run.ts'

export const explainDagRun = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/why',
  operationId: 'explainDagRun',
  summary: 'Explain why a run waits, or why it ended',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  response: WhyAnswer,
  async handle({ params, caller }, services) {
    return await explain(services, { dagName: params.name, runId: params.dagRunId }, viewOf(caller))
  },
})
