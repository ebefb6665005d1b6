import { defineRoute } from '#lib/api/define-route.ts'
import { stepLogState } from '#lib/api/logs/log-state.ts'
import { findInLog } from '#lib/api/logs/read-log.ts'
import { LogMatches, SearchLogQuery } from '#lib/api/schemas/log.ts'
import { StepPath } from '#lib/api/schemas/names.ts'
import { findStep } from '#lib/runs/steps/find-step.ts'
import { getRun } from '#lib/runs/read/get-run.ts'

export const searchStepLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/search',
  operationId: 'searchStepLog',
  summary: 'Find the lines of the output of a step that contain a text or match an RE2 expression',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found', 'service_unavailable'],
  params: StepPath,
  query: SearchLogQuery,
  response: LogMatches,
  responseType: 'application/x-ndjson',
  async handle({ params, query }, { db, logs, definitions, takeLogSearch }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    const step = await findStep(db, definitions, { run, stepName: params.stepName })
    return findInLog(logs, stepLogState(step, query), query, takeLogSearch)
  },
})
