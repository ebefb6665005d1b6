import { defineRoute } from '#lib/api/define-route.ts'
import { presentWorker } from '#lib/api/present/worker.ts'
import { WorkerList } from '#lib/api/schemas/queue.ts'
import { listWorkers as list } from '#lib/workers/list-workers.ts'

export const listWorkers = defineRoute({
  method: 'get',
  path: '/workers',
  operationId: 'listWorkers',
  summary: 'List the runners that are connected and what they run',
  access: 'read',
  status: 200,
  errors: [],
  response: WorkerList,
  async handle(_input, { db }) {
    return { workers: (await list(db)).map(presentWorker), errors: [] }
  },
})
