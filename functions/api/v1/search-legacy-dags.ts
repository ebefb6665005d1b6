import { defineRoute } from '#lib/api/define-route.ts'
import { legacyKeys } from '#lib/api/legacy/keys.ts'
import { LegacyAnswer } from '#lib/api/legacy/schemas.ts'
import { SearchQuery } from '#lib/api/schemas/dag.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'

export const searchLegacyDags = defineRoute({
  method: 'get',
  path: '/search',
  operationId: 'searchLegacyDags',
  summary: 'Find a literal text in the specs of all DAGs, ignoring case',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: SearchQuery,
  response: LegacyAnswer,
  async handle({ query, caller }, { db }) {
    return { Results: legacyKeys(await viewOf(caller).search(db, { text: query.q })), Errors: [] }
  },
})
