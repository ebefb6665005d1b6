import { describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { noteSteps } from '#lib/dags/note-steps.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db } = api.database
const steps = (...names: readonly string[]) =>
  `steps:\n${names.map((name) => `  - name: ${name}\n    command: echo x\n`).join('')}`
await api.createDag('nightly-orders', `tags: sales\n${steps('extract', 'load orders')}`)
await api.createDag('orders', steps('reload', 'load', '"extract all"'))
await api.createDag('plain_one', steps('b'))
const ids = ['0199aaaa-1', '0199aaaa-2', '0199bbbb-3', 'weekly-0199aaaa']
for (const dagRunId of ids) await api.start('orders', { dagRunId })

interface Found {
  readonly dags: readonly { fileName: string; state: string }[]
  readonly runs: readonly { name: string; dagRunId: string; status: number }[]
  readonly steps: readonly { fileName: string; step: string; line?: number }[]
}
const find = async (q: string, more = '') => {
  const answer = await api.get<Found>(`/search?q=${encodeURIComponent(q)}${more}`)
  expect(answer.status).toBe(200)
  return answer.body
}
const runIds = async (q: string, more?: string) => (await find(q, more)).runs.map(({ dagRunId }) => dagRunId)
const dagNames = async (q: string, more?: string) =>
  (await find(q, more)).dags.map(({ fileName }) => fileName)

describe('200', () => {
  test('DAGs match all words in name and tags, and those that begin with the text come first', async () => {
    expect(await dagNames('ORD')).toEqual(['orders', 'nightly-orders'])
    expect(await dagNames('sales night')).toEqual(['nightly-orders'])
    expect(await dagNames('n_o')).toEqual(['plain_one'])
    expect((await find('orders')).dags.map(({ state }) => state)).toEqual(['not_started', 'never'])
  })

  test('runs whose id begins with the text come newest first, then those that contain it', async () => {
    expect(await runIds('0199aaaa')).toEqual(['0199aaaa-2', '0199aaaa-1', 'weekly-0199aaaa'])
    expect(await runIds('0199aaaa', '&limit=2')).toEqual(['0199aaaa-2', '0199aaaa-1'])
    expect(await runIds('aaaa')).toEqual(['weekly-0199aaaa', '0199aaaa-2', '0199aaaa-1'])
    expect(await runIds('aaa')).toEqual([])
    expect(await runIds('0199 aaaa')).toEqual([])
    expect((await find('0199bbbb-3')).runs).toMatchObject([{ name: 'orders', status: 0 }])
  })

  test('steps match by name, with their line in the file', async () => {
    expect((await find('LOAD')).steps).toEqual([
      { fileName: 'orders', step: 'load', line: 4 },
      { fileName: 'nightly-orders', step: 'load orders', line: 5 },
      { fileName: 'orders', step: 'reload', line: 2 },
    ])
    expect((await find('extract a')).steps).toEqual([{ fileName: 'orders', step: 'extract all', line: 6 }])
  })

  test('an empty search gives the first DAGs and the newest runs', async () => {
    const found = await find('', '&limit=2')
    expect(found.dags).toHaveLength(2)
    expect(found.runs.map(({ dagRunId }) => dagRunId)).toEqual(ids.toReversed().slice(0, 2))
    expect(found.steps).toEqual([])
    expect((await api.get<Found>('/search')).body.dags).toHaveLength(3)
  })

  test('a saved text replaces the steps, and missing ones of older versions are filled in', async () => {
    await api.createDag('changing', steps('before'))
    await api.call('PUT', '/dags/changing/spec', { body: { spec: steps('afterwards') } })
    expect((await find('before')).steps).toEqual([])
    await db.sql`update millrace.dag set step_names = null where file_name = 'changing'`
    expect((await find('afterwards')).steps).toEqual([])
    await noteSteps(db)
    expect((await find('afterwards')).steps).toHaveLength(1)
  })

  test('a viewer cannot find text that is hidden from viewers', async () => {
    await api.createDag('secret', `env:\n  - API_TOKEN: hunter22\n${steps('plain')}`)
    const guarded = api.with({ auth: { basic: undefined, token: 'of-the-settings' } })
    const { key } = await createApiKey(db, {
      name: 'viewer',
      role: 'viewer',
      createdBy: 'test',
      expiresInDays: undefined,
    })
    const { body } = await guarded.call<Found>('GET', '/search?q=hunter22', {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(body).toEqual({ dags: [], runs: [], steps: [] })
  })
})

describe('400 bad_request', () => {
  test.each(['limit=0', 'limit=51', 'limit=x', `q=${'x'.repeat(257)}`])('the query %s', async (query) => {
    expect(await api.get(`/search?${query}`)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })
})
