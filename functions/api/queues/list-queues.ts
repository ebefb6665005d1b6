import { defineRoute } from '#lib/api/define-route.ts'
import { presentQueues, presentQueueSummaries } from '#lib/api/present/queue.ts'
import { QueueList, QueuesQuery } from '#lib/api/schemas/queue.ts'
import { listQueues as list } from '#lib/queues/list-queues.ts'
import { summarizeQueues } from '#lib/queues/summarize-queues.ts'

export const listQueues = defineRoute({
  method: 'get',
  path: '/queues',
  operationId: 'listQueues',
  summary: 'List the queues with their running and waiting runs',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: QueuesQuery,
  response: QueueList,
  async handle({ query: { summary } }, services) {
    return summary === 'true'
      ? presentQueueSummaries(await summarizeQueues(services.db, { countsStarts: true }), services)
      : presentQueues(await list(services.db), services)
  },
})
