import { defineRoute } from '#lib/api/define-route.ts'
import { presentQueueItems } from '#lib/api/present/queue-items.ts'
import { QueueItems, QueueItemsQuery, QueuePath } from '#lib/api/schemas/queue.ts'
import { limits } from '#lib/core/limits.ts'
import { listQueueItems as list } from '#lib/queues/list-queue-items.ts'
import { explainQueued } from '#lib/runs/explain/explain-run.ts'

export const listQueueItems = defineRoute({
  method: 'get',
  path: '/queues/{name}/items',
  operationId: 'listQueueItems',
  summary: 'List the runs that wait in a queue with their positions, or those that use a slot',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  params: QueuePath,
  query: QueueItemsQuery,
  response: QueueItems,
  async handle({ params: { name }, query }, services) {
    const { state = 'queued', limit = limits.queueItemsDefault, cursor } = query
    const page = await list(services.db, name, { state, limit, cursor })
    const head = state === 'queued' && cursor === undefined ? page.items[0]?.run : undefined
    const why = head === undefined ? undefined : await explainQueued(services.db, head.runKey, name)
    return presentQueueItems(page, why, services)
  },
})
