import { expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const token = 'a-token-of-the-settings'
const guarded = api.with({ auth: { basic: undefined, token } })
const headers = { authorization: `Bearer ${token}` }
const call = (method: string, path: string, body?: object) =>
  guarded.call<{ key?: string; apiKey?: { id: string } }>(method, path, { headers, ...(body && { body }) })
interface Entry {
  readonly action: string
  readonly target: string
  readonly changes: readonly unknown[]
}
const list = async (query: string) =>
  (await guarded.call<{ entries: Entry[] }>('GET', `/audit${query}`, { headers })).body.entries
const changesOf = async (action: string) => (await list(`?action=${action}&limit=1`))[0]?.changes

test('an entry shows the fields before and after, and of a password only that it changed', async () => {
  await call('POST', '/users', { username: 'bob', password: 'quiet-otter-4711', role: 'viewer' })
  expect(await changesOf('createUser')).toEqual([{ field: 'role', before: null, after: 'viewer' }])
  await call('PATCH', '/users/bob', { role: 'editor', disabled: true, password: 'loud-heron-1147' })
  expect(await changesOf('updateUser')).toEqual([
    { field: 'role', before: 'viewer', after: 'editor' },
    { field: 'disabled', before: 'false', after: 'true' },
    { field: 'password', before: null, after: 'changed' },
  ])
  await call('PATCH', '/users/bob', { role: 'editor' })
  expect(await changesOf('updateUser')).toEqual([])
  await call('DELETE', '/users/bob')
  expect(await changesOf('deleteUser')).toEqual([{ field: 'role', before: 'editor', after: null }])
  const { body } = await call('POST', '/api-keys', { name: 'ci', role: 'operator' })
  expect(await changesOf('createApiKey')).toEqual([
    { field: 'name', before: null, after: 'ci' },
    { field: 'role', before: null, after: 'operator' },
  ])
  await call('DELETE', `/api-keys/${body.apiKey?.id}`)
  expect(await changesOf('revokeApiKey')).toEqual([{ field: 'name', before: 'ci', after: null }])
  const all = JSON.stringify(await list(''))
  for (const secret of ['otter', 'heron', body.key]) expect(all).not.toContain(secret)
})

test('an entry shows what changed of a DAG: its schedule, its text, its name', async () => {
  await api.createDag('orders')
  await call('POST', '/dags/orders/suspend', { suspend: true })
  expect(await changesOf('suspendDag')).toEqual([{ field: 'suspended', before: 'false', after: 'true' }])
  await call('POST', '/dags/orders/suspend', { suspend: true })
  expect(await changesOf('suspendDag')).toEqual([])
  await call('PUT', '/dags/orders/spec', { spec: 'steps:\n  - name: a\n    command: echo hunter2\n' })
  expect(await changesOf('updateDagSpec')).toEqual([{ field: 'version', before: '1', after: '2' }])
  await call('POST', '/dags/orders/rename', { newFileName: 'sales' })
  expect(await changesOf('renameDag')).toEqual([{ field: 'file name', before: 'orders', after: 'sales' }])
  expect(JSON.stringify(await list(''))).not.toContain('hunter2')
})

test('an entry of a refused call shows no changes', async () => {
  await call('DELETE', '/users/nobody')
  expect(await changesOf('deleteUser')).toEqual([])
})

test('entries are filtered by actor, action, target and time', async () => {
  await call('POST', '/dags/none/start')
  const { length } = await list('?limit=1000')
  const of = async (query: string) => (await list(`?limit=1000&${query}`)).length
  // The anonymous call that created a DAG has no actor.
  expect(await of('actor=token')).toBe(length - 1)
  expect(await of('actor=somebody')).toBe(0)
  expect((await list('?action=startDag')).map(({ target }) => target)).toEqual(['/api/v2/dags/none/start'])
  expect((await list('?target=DAGS/NONE')).map(({ action }) => action)).toEqual(['startDag'])
  expect(await of('target=%25')).toBe(0)
  const now = Math.floor(Date.now() / 1_000)
  expect(await of(`from=${now - 3_600}&to=${now + 60}`)).toBe(length)
  expect(await of(`to=${now - 3_600}`)).toBe(0)
  expect(await of(`from=${now + 60}`)).toBe(0)
})
