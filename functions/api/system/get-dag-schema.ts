import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'
import { dagJsonSchema } from '#lib/api/documents/dag-json-schema.ts'

export const getDagSchema = defineRoute({
  method: 'get',
  path: '/dag-schema.json',
  operationId: 'getDagSchema',
  summary: 'The format of DAG files as a JSON Schema, for editors',
  access: 'read',
  status: 200,
  errors: [],
  response: v.record(v.string(), v.unknown()),
  async handle() {
    return dagJsonSchema()
  },
})
