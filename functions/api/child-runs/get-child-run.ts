import { defineRoute } from '#lib/api/define-route.ts'
import { presentRun } from '#lib/api/present/run.ts'
import { viewOf, viewed } from '#lib/api/auth/shown-to.ts'
import { AttemptQuery } from '#lib/api/schemas/log.ts'
import { ChildPath } from '#lib/api/schemas/names.ts'
import { RunAnswer } from '#lib/api/schemas/run.ts'
import { getChildRun as get } from '#lib/runs/children/get-child-run.ts'
import { loadInAttempt } from '#lib/runs/read/load-in-attempt.ts'

export const getChildRun = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}',
  aliases: ['/dag-runs/{name}/{dagRunId}/sub-dag-runs/{childDAGRunId}'],
  operationId: 'getChildRun',
  summary: 'Show a run below a root run, at any depth',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: ChildPath,
  query: AttemptQuery,
  response: RunAnswer,
  async handle({ params, query, caller }, services) {
    const state = await loadInAttempt(services, await get(services.db, params), query.attempt)
    const details = presentRun(viewed(state, viewOf(caller)), services)
    return { dagRun: details, dagRunDetails: details }
  },
})
