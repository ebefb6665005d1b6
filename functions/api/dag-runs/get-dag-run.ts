import * as v from 'valibot'
import { defineRoute, Json } from '#lib/api/define-route.ts'
import { explain } from '#lib/api/answers/explain.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { AttemptQuery } from '#lib/api/schemas/log.ts'
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
  query: v.object({
    ...AttemptQuery.entries,
    why: v.exactOptional(v.picklist(['true', 'false'], 'must be true or false')),
  }),
  response: RunAnswer,
  async handle({ params, query, caller }, services) {
    const ref = { dagName: params.name, runId: params.dagRunId }
    const details = await services.runDetails.read(ref, viewOf(caller), query)
    const why =
      query.why === 'true' ? JSON.stringify(await explain(services, ref, viewOf(caller))) : undefined
    const rest = why === undefined ? '' : `,"why":${why}`
    return new Json(`{"dagRun":${details},"dagRunDetails":${details}${rest}}`)
  },
})
