import { defineRoute } from '#lib/api/define-route.ts'
import { stepLogState } from '#lib/api/logs/log-state.ts'
import { readLog } from '#lib/api/logs/read-log.ts'
import { LogChunk, StepLogQuery } from '#lib/api/schemas/log.ts'
import { StepPath } from '#lib/api/schemas/names.ts'
import { findStep } from '#lib/runs/steps/find-step.ts'
import { getRun } from '#lib/runs/read/get-run.ts'

export const getStepLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/log',
  operationId: 'getStepLog',
  summary: 'Return lines of the output of a step',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: StepPath,
  query: StepLogQuery,
  response: LogChunk,
  async handle({ params, query }, { db, logs, definitions }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    const step = await findStep(db, definitions, { run, stepName: params.stepName })
    return readLog(logs, stepLogState(step, query), query)
  },
})
