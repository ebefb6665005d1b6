import { defineRoute } from '#lib/api/define-route.ts'
import { presentUnserved, presentWorker } from '#lib/api/present/worker.ts'
import { WorkerList, WorkersQuery } from '#lib/api/schemas/queue.ts'
import { findUnservedDags } from '#lib/workers/find-unserved-dags.ts'
import { listWorkers as list } from '#lib/workers/list-workers.ts'

export const listWorkers = defineRoute({
  method: 'get',
  path: '/workers',
  operationId: 'listWorkers',
  summary: 'List the registered runners and their runs',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: WorkersQuery,
  response: WorkerList,
  async handle({ query: { unserved } }, { db }) {
    const workers = (await list(db)).map(presentWorker)
    if (unserved !== 'true') return { workers, errors: [] }
    return { workers, errors: [], unservedDags: presentUnserved(await findUnservedDags(db)) }
  },
})
