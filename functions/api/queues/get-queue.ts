import { defineRoute } from '#lib/api/define-route.ts'
import { presentQueueSummary } from '#lib/api/present/queue.ts'
import { QueueAnswer, QueuePath } from '#lib/api/schemas/queue.ts'
import { getQueue as get } from '#lib/queues/get-queue.ts'

export const getQueue = defineRoute({
  method: 'get',
  path: '/queues/{name}',
  operationId: 'getQueue',
  summary: 'Show a queue: its limit, how many runs use a slot or wait, and whether it is paused',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: QueuePath,
  response: QueueAnswer,
  async handle({ params }, services) {
    return { queue: presentQueueSummary(await get(services.db, params.name), services) }
  },
})
