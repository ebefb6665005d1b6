import { callEach, countOutcomes, shownOutcome } from '#lib/api/answers/call-each.ts'
import { Batched, defineRoute } from '#lib/api/define-route.ts'
import { RunBatchAnswer, RunBatchBody } from '#lib/api/schemas/batch.ts'
import { dequeueDagRun } from './dequeue-dag-run.ts'
import { retryDagRun } from './retry-dag-run.ts'
import { stopDagRun } from './stop-dag-run.ts'

/** Stops again after dequeue, because the stop of another run may promote this one in between. */
const routesOf = {
  stop: [stopDagRun, dequeueDagRun, stopDagRun],
  retry: [retryDagRun],
  dequeue: [dequeueDagRun],
} as const

export const batchDagRuns = defineRoute({
  method: 'post',
  path: '/dag-runs/batch',
  operationId: 'batchDagRuns',
  summary: 'Stop, retry or dequeue several runs; each gets its own result',
  access: 'run',
  idempotent: true,
  status: 200,
  errors: ['bad_request'],
  body: RunBatchBody,
  response: RunBatchAnswer,
  async handle({ body: { action, runs }, headers, caller, origin }, services) {
    const shared = { body: {}, headers, caller, origin }
    const { outcomes, calls } = await callEach(routesOf[action], runs, shared, services)
    const results = outcomes.map((outcome, index) => ({
      name: runs[index]?.name ?? '',
      dagRunId: runs[index]?.dagRunId ?? '',
      ...shownOutcome(outcome),
    }))
    return new Batched({ results, ...countOutcomes(outcomes) }, calls)
  },
})
