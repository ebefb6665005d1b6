import { defineRoute } from '#lib/api/define-route.ts'
import { DagCounts } from '#lib/api/schemas/dag.ts'
import { countDags as count } from '#lib/runs/counts/count-dags.ts'

export const countDags = defineRoute({
  method: 'get',
  path: '/dags/counts',
  operationId: 'countDags',
  summary: 'Count the DAGs by the status of their newest run, by tag and by group',
  access: 'read',
  status: 200,
  errors: [],
  response: DagCounts,
  async handle(_input, { db }) {
    return await count(db)
  },
})
