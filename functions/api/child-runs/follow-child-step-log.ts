import { defineRoute } from '#lib/api/define-route.ts'
import { streamStepLog } from '#lib/api/logs/stream-log.ts'
import { EventText, StreamQuery } from '#lib/api/schemas/log.ts'
import { ChildStepPath } from '#lib/api/schemas/names.ts'
import { findStep } from '#lib/runs/steps/find-step.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'

export const followChildStepLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/steps/{stepName}/log/stream',
  operationId: 'followChildStepLog',
  summary: 'Follow the output of a step of a child run, with the events of a step',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: ChildStepPath,
  query: StreamQuery,
  response: EventText,
  responseType: 'text/event-stream',
  async handle({ params, query, headers }, services) {
    const run = await getChildRun(services.db, params)
    const step = await findStep(services.db, services.definitions, { run, stepName: params.stepName })
    return streamStepLog(services, step, { query, headers })
  },
})
