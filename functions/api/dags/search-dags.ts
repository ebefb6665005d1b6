import { defineRoute } from '#lib/api/define-route.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { SearchAnswer, SearchQuery } from '#lib/api/schemas/dag.ts'

export const searchDags = defineRoute({
  method: 'get',
  path: '/dags/search',
  operationId: 'searchDags',
  summary: 'Find a literal text in the specs of all DAGs, ignoring case',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: SearchQuery,
  response: SearchAnswer,
  async handle({ query, caller }, { db }) {
    return { results: await viewOf(caller).search(db, { text: query.q }), errors: [] }
  },
})
