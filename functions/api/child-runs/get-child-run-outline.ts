import { defineRoute } from '#lib/api/define-route.ts'
import { viewOf, viewed } from '#lib/api/auth/shown-to.ts'
import { presentOutline } from '#lib/api/present/run-outline.ts'
import { AttemptQuery } from '#lib/api/schemas/log.ts'
import { ChildPath } from '#lib/api/schemas/names.ts'
import { RunOutline } from '#lib/api/schemas/run-outline.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'
import { loadInAttempt } from '#lib/runs/read/load-in-attempt.ts'

export const getChildRunOutline = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/outline',
  operationId: 'getChildRunOutline',
  summary: 'Show a child run with its steps in brief',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: ChildPath,
  query: AttemptQuery,
  response: RunOutline,
  async handle({ params, query, caller }, services) {
    const state = await loadInAttempt(services, await getChildRun(services.db, params), query.attempt)
    return presentOutline(viewed(state, viewOf(caller)), services)
  },
})
