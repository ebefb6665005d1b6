import { defineRoute } from '#lib/api/define-route.ts'
import { viewOf, viewed } from '#lib/api/auth/shown-to.ts'
import { presentStepOf } from '#lib/api/present/run.ts'
import { AttemptQuery } from '#lib/api/schemas/log.ts'
import { StepPath } from '#lib/api/schemas/names.ts'
import { Node } from '#lib/api/schemas/run.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { loadInAttempt } from '#lib/runs/read/load-in-attempt.ts'

export const getStep = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}',
  operationId: 'getStep',
  summary: 'Show one step of a run',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: StepPath,
  query: AttemptQuery,
  response: Node,
  async handle({ params, query, caller }, services) {
    const run = await getRun(services.db, { dagName: params.name, runId: params.dagRunId })
    const state = await loadInAttempt(services, run, query.attempt)
    return presentStepOf(viewed(state, viewOf(caller)), params.stepName, services)
  },
})
