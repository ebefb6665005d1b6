import { defineRoute, NoContent } from '#lib/api/define-route.ts'
import { findLogPlace, followLog, hasSeenLog } from '#lib/api/streams/follow-log.ts'
import { stepLogKey } from '#lib/api/logs/read-log.ts'
import { EventText, StreamQuery } from '#lib/api/schemas/log.ts'
import { StepPath } from '#lib/api/schemas/names.ts'
import { findStep, isStepOver } from '#lib/runs/steps/find-step.ts'
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
  reply: EventText,
  replyType: 'text/event-stream',
  async handle({ params, query, headers }, { db, logs, definitions, watch }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    const { planned } = await findStep(db, definitions, { run, stepName: params.stepName })
    const look = async () => {
      const state = await watch.state({ dagName: run.dagName, runId: run.runId })
      const step = { ...state, planned, record: state.steps.get(params.stepName) }
      return { key: stepLogKey(step, query.stream), isOver: isStepOver(step) }
    }
    const state = await look()
    const place = await findLogPlace(logs, state.key, headers.get('last-event-id'), query)
    return (await hasSeenLog(logs, state, place)) ? new NoContent() : followLog(logs, look, place)
  },
})
