import { defineRoute } from '#lib/api/define-route.ts'
import { LegacyAnswer } from '#lib/api/legacy/schemas.ts'
import { listTags } from '#lib/dags/list-tags.ts'

export const listLegacyTags = defineRoute({
  method: 'get',
  path: '/tags',
  operationId: 'listLegacyTags',
  summary: 'List the distinct tags of all DAGs, sorted',
  access: 'read',
  status: 200,
  errors: [],
  response: LegacyAnswer,
  async handle(_input, { db }) {
    const { tags, errors } = await listTags(db)
    return { Tags: tags, Errors: errors }
  },
})
