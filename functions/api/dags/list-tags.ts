import { defineRoute } from '#lib/api/define-route.ts'
import { TagsAnswer } from '#lib/api/schemas/dag.ts'
import { listTags as list } from '#lib/dags/list-tags.ts'

export const listTags = defineRoute({
  method: 'get',
  path: '/dags/tags',
  operationId: 'listTags',
  summary: 'List the distinct tags of all DAGs, sorted',
  access: 'read',
  status: 200,
  errors: [],
  response: TagsAnswer,
  async handle(_input, { db }) {
    return list(db)
  },
})
