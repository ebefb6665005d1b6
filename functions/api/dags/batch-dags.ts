import { callEach, countOutcomes, shownOutcome } from '#lib/api/answers/call-each.ts'
import { Batched, defineRoute } from '#lib/api/define-route.ts'
import { DagBatchAnswer, DagBatchBody } from '#lib/api/schemas/batch.ts'
import { enqueueDag } from './enqueue-dag.ts'
import { startDag } from './start-dag.ts'
import { suspendDag } from './suspend-dag.ts'

const routesOf = {
  start: [startDag],
  enqueue: [enqueueDag],
  suspend: [suspendDag],
  resume: [suspendDag],
} as const

export const batchDags = defineRoute({
  method: 'post',
  path: '/dags/batch',
  operationId: 'batchDags',
  summary: 'Start, enqueue, suspend or resume several DAGs; each gets its own result',
  access: 'run',
  idempotent: true,
  status: 200,
  errors: ['bad_request'],
  body: DagBatchBody,
  response: DagBatchAnswer,
  async handle({ body: { action, files, queue, ...start }, headers, caller, origin }, services) {
    const suspend = { suspend: action === 'suspend' }
    const enqueue = { ...start, ...(action === 'enqueue' && queue !== undefined && { queue }) }
    const body = action === 'start' || action === 'enqueue' ? enqueue : suspend
    const items = files.map((fileName) => ({ fileName }))
    const shared = { body, headers, caller, origin }
    const { outcomes, calls } = await callEach(routesOf[action], items, shared, services)
    const results = outcomes.map((outcome, index) => ({
      fileName: files[index] ?? '',
      ...Object(outcome.answer),
      ...shownOutcome(outcome),
    }))
    return new Batched({ results, ...countOutcomes(outcomes) }, calls)
  },
})
