import { defineRoute } from '#lib/api/define-route.ts'
import { presentWorker } from '#lib/api/present/worker.ts'
import { actorOf } from '#lib/api/requests/actor-of.ts'
import { WorkerAnswer, WorkerPath } from '#lib/api/schemas/queue.ts'
import { getWorker } from '#lib/workers/list-workers.ts'
import { setDraining } from '#lib/workers/set-draining.ts'

export const drainWorker = defineRoute({
  method: 'post',
  path: '/workers/{id}/drain',
  operationId: 'drainWorker',
  summary: 'Drain a runner: until it is resumed, it claims no runs and only finishes its own',
  access: 'admin',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: WorkerPath,
  response: WorkerAnswer,
  async handle({ params: { id }, caller }, { db }) {
    await setDraining(db, { id, draining: true, by: actorOf(caller) })
    return { worker: presentWorker(await getWorker(db, id)) }
  },
})
