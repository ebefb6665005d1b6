import { defineRoute } from '#lib/api/define-route.ts'
import { ApiKeyPath } from '#lib/api/schemas/access.ts'
import { revokeApiKey as revoke } from '#lib/api-keys/revoke-api-key.ts'

export const revokeApiKey = defineRoute({
  method: 'delete',
  path: '/api-keys/{keyId}',
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key; it stays in the list',
  access: 'admin',
  status: 204,
  errors: ['bad_request', 'not_found'],
  params: ApiKeyPath,
  async handle({ params, noteChanges }, { db }) {
    const name = await revoke(db, params.keyId)
    noteChanges([{ field: 'name', before: name, after: null }])
  },
})
