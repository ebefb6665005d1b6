import { defineRoute } from '#lib/api/define-route.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { RunSpecAnswer } from '#lib/api/schemas/run.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { readRunSpec } from '#lib/runs/read/read-run-spec.ts'

export const getDagRunSpec = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/spec',
  operationId: 'getDagRunSpec',
  summary: 'Return the text that a run was created from; only editors see the secrets in it',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  response: RunSpecAnswer,
  async handle({ params, caller }, { db }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    const { spec } = await readRunSpec(db, run.definitionHash)
    return { spec: viewOf(caller).spec(spec) }
  },
})
