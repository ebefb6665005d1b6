import { defineRoute } from '#lib/api/define-route.ts'
import { stepLogState } from '#lib/api/logs/log-state.ts'
import { downloadLog } from '#lib/api/logs/read-log.ts'
import { LogFile, RawLogQuery } from '#lib/api/schemas/log.ts'
import { ChildStepPath } from '#lib/api/schemas/names.ts'
import { findStep } from '#lib/runs/steps/find-step.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'

export const downloadChildStepLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/steps/{stepName}/log/raw',
  operationId: 'downloadChildStepLog',
  summary: 'Return the whole output of a step of a child run as a file',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: ChildStepPath,
  query: RawLogQuery,
  response: LogFile,
  responseType: 'text/plain; charset=utf-8',
  async handle({ params, query }, { db, logs, definitions }) {
    const run = await getChildRun(db, params)
    const step = await findStep(db, definitions, { run, stepName: params.stepName })
    return downloadLog(logs, run, stepLogState(step, query))
  },
})
