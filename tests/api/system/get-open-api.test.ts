import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { routes } from '#functions/api/routes.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
type Operation = { responses: Record<string, unknown>; 'x-access': string }
type Document = { openapi: string; paths: Record<string, Record<string, Operation>> }

describe('200', () => {
  test('the document names every path, method and status', async () => {
    const { body } = await api.get<Document>('/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    for (const route of routes) {
      const operation = body.paths[route.path]?.[route.method]
      expect(operation?.responses, route.operationId).toHaveProperty(String(route.status))
      expect(operation?.['x-access']).toBe(route.access)
    }
  })

  test('the document is infra/openapi.json as `npm run documents` writes it', async () => {
    const { version: _, ...rest } = JSON.parse(readFileSync('infra/openapi.json', 'utf8')).info
    const checkedIn = JSON.parse(readFileSync('infra/openapi.json', 'utf8'))
    const { body } = await api.get<Record<string, unknown>>('/openapi.json')
    expect({ ...body, info: rest }).toEqual({ ...checkedIn, info: rest })
  })

  test('an object with four or more fields that is used twice is a component', async () => {
    const { body } = await api.get<Record<string, unknown>>('/openapi.json')
    const seen = new Set<string>()
    const twice: string[] = []
    const look = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      const text = JSON.stringify(value)
      if ('properties' in value && Object.keys(Object(value.properties) as object).length >= 4) {
        if (seen.has(text)) twice.push(text.slice(0, 200))
        seen.add(text)
      }
      for (const inner of Object.values(value)) look(inner)
    }
    look(body)
    expect(twice, 'name it in `components` of its file in lib/api/schemas').toEqual([])
  })

  test('every reference of the document has a target', async () => {
    const { body } = await api.get<Record<string, unknown>>('/openapi.json')
    const text = JSON.stringify(body)
    const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? '')
    expect(names.length).toBeGreaterThan(20)
    for (const name of names) expect(body).toHaveProperty(['components', 'schemas', name])
    expect(text).not.toContain('#/$defs/')
  })
})
