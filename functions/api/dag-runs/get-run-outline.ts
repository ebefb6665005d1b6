import { defineRoute, Json } from '#lib/api/define-route.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { AttemptQuery } from '#lib/api/schemas/log.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { RunOutline } from '#lib/api/schemas/run-outline.ts'

export const getRunOutline = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/outline',
  operationId: 'getRunOutline',
  summary: 'Show a run with its steps in brief, for runs with thousands of steps',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  query: AttemptQuery,
  response: RunOutline,
  async handle({ params, query, caller }, { runDetails }) {
    const ref = { dagName: params.name, runId: params.dagRunId }
    return new Json(await runDetails.read(ref, viewOf(caller), { ...query, form: 'outline' }))
  },
})
