import { defineRoute } from '#lib/api/define-route.ts'
import { presentQueueSummary } from '#lib/api/present/queue.ts'
import { actorOf } from '#lib/api/requests/actor-of.ts'
import { ControlQueueBody, QueueAnswer, QueuePath } from '#lib/api/schemas/queue.ts'
import { controlQueue as control } from '#lib/queues/control-queue.ts'
import { getQueue } from '#lib/queues/get-queue.ts'

export const controlQueue = defineRoute({
  method: 'put',
  path: '/queues/{name}',
  operationId: 'controlQueue',
  summary: 'Pause or resume a queue, set or clear its limit; absent fields change nothing',
  access: 'admin',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: QueuePath,
  body: ControlQueueBody,
  response: QueueAnswer,
  async handle({ params: { name }, body, caller }, services) {
    await control(services.db, name, { ...body, by: actorOf(caller) })
    return { queue: presentQueueSummary(await getQueue(services.db, name), services) }
  },
})
