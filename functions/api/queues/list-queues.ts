import { defineRoute } from '#lib/api/define-route.ts'
import { presentQueues } from '#lib/api/present/queue.ts'
import { QueueList } from '#lib/api/schemas/queue.ts'
import { listQueues as list } from '#lib/queues/list-queues.ts'

export const listQueues = defineRoute({
  method: 'get',
  path: '/queues',
  operationId: 'listQueues',
  summary: 'List the queues with what runs and what waits in them',
  access: 'read',
  status: 200,
  errors: [],
  response: QueueList,
  async handle(_input, services) {
    return presentQueues(await list(services.db), services)
  },
})
