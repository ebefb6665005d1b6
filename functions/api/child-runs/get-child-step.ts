import { defineRoute } from '#lib/api/define-route.ts'
import { viewOf, viewed } from '#lib/api/auth/shown-to.ts'
import { presentStepOf } from '#lib/api/present/run.ts'
import { AttemptQuery } from '#lib/api/schemas/log.ts'
import { ChildStepPath } from '#lib/api/schemas/names.ts'
import { Node } from '#lib/api/schemas/run.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'
import { loadInAttempt } from '#lib/runs/read/load-in-attempt.ts'

export const getChildStep = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/steps/{stepName}',
  operationId: 'getChildStep',
  summary: 'Show one step of a child run',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: ChildStepPath,
  query: AttemptQuery,
  response: Node,
  async handle({ params, query, caller }, services) {
    const state = await loadInAttempt(services, await getChildRun(services.db, params), query.attempt)
    return presentStepOf(viewed(state, viewOf(caller)), params.stepName, services)
  },
})
