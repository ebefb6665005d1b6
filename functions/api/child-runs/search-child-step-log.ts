import { defineRoute } from '#lib/api/define-route.ts'
import { stepLogState } from '#lib/api/logs/log-state.ts'
import { findInLog } from '#lib/api/logs/read-log.ts'
import { LogMatches, SearchLogQuery } from '#lib/api/schemas/log.ts'
import { ChildStepPath } from '#lib/api/schemas/names.ts'
import { findStep } from '#lib/runs/steps/find-step.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'

export const searchChildStepLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/steps/{stepName}/log/search',
  operationId: 'searchChildStepLog',
  summary: 'Find the lines of the output of a step of a child run that contain a text or match an expression',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found', 'service_unavailable'],
  params: ChildStepPath,
  query: SearchLogQuery,
  response: LogMatches,
  responseType: 'application/x-ndjson',
  async handle({ params, query }, { db, logs, definitions, takeLogSearch }) {
    const run = await getChildRun(db, params)
    const step = await findStep(db, definitions, { run, stepName: params.stepName })
    return findInLog(logs, stepLogState(step, query), query, takeLogSearch)
  },
})
