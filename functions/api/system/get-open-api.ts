import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'

export const getOpenApi = defineRoute({
  method: 'get',
  path: '/openapi.json',
  operationId: 'getOpenApi',
  summary: 'This document',
  access: 'read',
  status: 200,
  errors: [],
  response: v.record(v.string(), v.unknown()),
  async handle(_input, { openApi }) {
    return openApi()
  },
})
