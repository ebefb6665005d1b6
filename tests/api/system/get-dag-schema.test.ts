import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()

interface Schema {
  readonly properties?: Record<string, Schema>
  readonly description?: string
}

/** Fields of the format without a description; the keys of JSON Schemas within `params` are not ours. */
function undescribed(schema: unknown, path: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => undescribed(one, path))
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as Schema
  const missing = Object.entries(properties)
    .filter(([, field]) => field.description === undefined)
    .map(([name]) => `${path}.${name}`)
  return [
    ...missing,
    // Rules only say which of the described fields belong together.
    ...Object.entries(schema).flatMap(([key, value]) =>
      key === 'allOf' ? [] : undescribed(value, `${path}.${key}`),
    ),
  ]
}

describe('200', () => {
  test('the format is a JSON Schema in which every field has a description', async () => {
    const { status, body } = await api.get<Schema>('/dag-schema.json')
    expect(status).toBe(200)
    expect(Object.keys(body.properties ?? {})).toEqual(
      expect.arrayContaining(['steps', 'schedule', 'timeout']),
    )
    expect(undescribed(body, 'dag')).toEqual([])
    expect(JSON.stringify(body)).not.toContain('"what"')
    expect(body).toEqual(JSON.parse(readFileSync('infra/dag-schema.json', 'utf8')))
  })
})
