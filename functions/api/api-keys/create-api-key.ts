import { defineRoute } from '#lib/api/define-route.ts'
import { presentApiKey } from '#lib/api/present/access.ts'
import { CreateApiKeyBody, CreatedApiKey } from '#lib/api/schemas/access.ts'
import { createApiKey as create } from '#lib/api-keys/create-api-key.ts'

export const createApiKey = defineRoute({
  method: 'post',
  path: '/api-keys',
  operationId: 'createApiKey',
  summary: 'Create an API key; only this response contains the key',
  access: 'admin',
  status: 201,
  errors: ['bad_request'],
  body: CreateApiKeyBody,
  response: CreatedApiKey,
  async handle({ body, caller, noteChanges }, { db }) {
    const { name, role, expiresInDays } = body
    const creator = { createdBy: caller.name, owner: caller.user }
    const { apiKey, key } = await create(db, { name, role, expiresInDays, ...creator })
    noteChanges([
      { field: 'name', before: null, after: apiKey.name },
      { field: 'role', before: null, after: apiKey.role },
    ])
    return { apiKey: presentApiKey(apiKey), key }
  },
})
