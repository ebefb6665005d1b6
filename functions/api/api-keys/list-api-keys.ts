import { defineRoute } from '#lib/api/define-route.ts'
import { presentApiKey } from '#lib/api/present/access.ts'
import { ApiKeyList } from '#lib/api/schemas/access.ts'
import { listApiKeys as list } from '#lib/api-keys/list-api-keys.ts'

export const listApiKeys = defineRoute({
  method: 'get',
  path: '/api-keys',
  operationId: 'listApiKeys',
  summary: 'List the API keys, newest first; the keys themselves are not stored',
  access: 'admin',
  status: 200,
  errors: [],
  response: ApiKeyList,
  async handle(_input, { db }) {
    return { apiKeys: (await list(db)).map(presentApiKey) }
  },
})
