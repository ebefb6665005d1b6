import { defineRoute } from '#lib/api/define-route.ts'
import { stepLogState } from '#lib/api/logs/log-state.ts'
import { downloadLog } from '#lib/api/logs/read-log.ts'
import { LogFile, RawLogQuery } from '#lib/api/schemas/log.ts'
import { StepPath } from '#lib/api/schemas/names.ts'
import { findStep } from '#lib/runs/steps/find-step.ts'
import { getRun } from '#lib/runs/read/get-run.ts'

export const downloadStepLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/raw',
  operationId: 'downloadStepLog',
  summary: 'Return the whole output of a step as a file',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: StepPath,
  query: RawLogQuery,
  response: LogFile,
  responseType: 'text/plain; charset=utf-8',
  async handle({ params, query }, { db, logs, definitions }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    const step = await findStep(db, definitions, { run, stepName: params.stepName })
    return downloadLog(logs, run, stepLogState(step, query))
  },
})
