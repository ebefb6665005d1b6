import { defineRoute } from '#lib/api/define-route.ts'
import { stepLogState } from '#lib/api/logs/log-state.ts'
import { readLog } from '#lib/api/logs/read-log.ts'
import { LogChunk, StepLogQuery } from '#lib/api/schemas/log.ts'
import { ChildStepPath } from '#lib/api/schemas/names.ts'
import { findStep } from '#lib/runs/steps/find-step.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'

export const getChildStepLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/steps/{stepName}/log',
  aliases: ['/dag-runs/{name}/{dagRunId}/sub-dag-runs/{childDAGRunId}/steps/{stepName}/log'],
  operationId: 'getChildStepLog',
  summary: 'Return lines of the output of a step of a child run',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: ChildStepPath,
  query: StepLogQuery,
  response: LogChunk,
  async handle({ params, query }, { db, logs, definitions }) {
    const run = await getChildRun(db, params)
    const step = await findStep(db, definitions, { run, stepName: params.stepName })
    return readLog(logs, stepLogState(step, query), query)
  },
})
