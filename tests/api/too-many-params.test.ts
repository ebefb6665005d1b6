import { expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const spec = 'steps:\n  - command: echo x\n'
await api.createDag('plain', spec)

const many = Array.from({ length: 1_001 }, (_, index) => index)
const forms: readonly (readonly [string, string])[] = [
  ['text', many.join(' ')],
  ['named text', many.map((index) => `P${index}=x`).join(' ')],
  ['a list', JSON.stringify(many)],
  ['an object', JSON.stringify(Object.fromEntries(many.map((index) => [`P${index}`, 'x'])))],
]
const calls: readonly (readonly [string, object])[] = [
  ['/dags/plain/start', {}],
  ['/dags/plain/enqueue', {}],
  ['/dag-runs', { spec, name: 'inline' }],
  ['/dag-runs/enqueue', { spec, name: 'inline' }],
  ['/api/v1/dags/plain', { action: 'start' }],
]

test.each(forms)('a run takes at most 1000 params, given as %s', async (_form, params) => {
  for (const [path, body] of calls) {
    const answer = await api.post(path, { ...body, params })
    expect([path, answer.status, answer.body]).toEqual([
      path,
      400,
      expect.objectContaining({ message: expect.stringMatching(/params: 1001 .* at most 1000$/) }),
    ])
  }
  expect((await api.get<{ dagRuns: unknown[] }>('/dag-runs')).body.dagRuns).toEqual([])
})

test('a thousand params are accepted', async () => {
  expect((await api.post('/dags/plain/start', { params: many.slice(1).join(' ') })).status).toBe(200)
})
