import { defineRoute } from '#lib/api/define-route.ts'
import { streamStepLog } from '#lib/api/logs/stream-log.ts'
import { EventText, StreamQuery } from '#lib/api/schemas/log.ts'
import { StepPath } from '#lib/api/schemas/names.ts'
import { findStep } from '#lib/runs/steps/find-step.ts'
import { getRun } from '#lib/runs/read/get-run.ts'

export const followStepLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/stream',
  operationId: 'followStepLog',
  summary: 'Follow the output of a step: whole lines (lines), pieces of a very long one (part), then end',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: StepPath,
  query: StreamQuery,
  response: EventText,
  responseType: 'text/event-stream',
  async handle({ params, query, headers }, services) {
    const run = await getRun(services.db, { dagName: params.name, runId: params.dagRunId })
    const step = await findStep(services.db, services.definitions, { run, stepName: params.stepName })
    return streamStepLog(services, step, { query, headers })
  },
})
