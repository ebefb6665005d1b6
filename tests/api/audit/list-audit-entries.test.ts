import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const token = 'a-token-of-the-settings'
const guarded = api.with({ auth: { basic: undefined, token } })
interface List {
  readonly entries: { readonly actor: string; readonly action: string; readonly target: string }[]
  readonly nextCursor?: string
}
const asToken = { authorization: `Bearer ${token}` }
const start = (path: string) => guarded.call('POST', path, { headers: asToken })
const list = async (query = '') => (await api.get<List>(`/audit${query}`)).body

describe('200', () => {
  test('changes and refused changes are listed newest first, without reads and without request bodies', async () => {
    const created = await guarded.call<{ key: string }>('POST', '/api-keys', {
      headers: asToken,
      body: { name: 'eye', role: 'viewer' },
    })
    const asViewer = { authorization: `Bearer ${created.body.key}` }
    await guarded.call('GET', '/dags', { headers: asViewer })
    await guarded.call('DELETE', '/dags/nightly', { headers: asViewer })
    await guarded.call('POST', '/users', {
      headers: { ...asToken, 'x-request-id': 'req-7' },
      body: { username: 'bob', password: 'correct horse', role: 'viewer' },
    })
    await guarded.call('DELETE', '/users/nobody', { headers: asToken })
    await guarded.call('DELETE', '/users/bob', { headers: { authorization: 'Bearer wrong' } })
    const { entries } = await list()
    expect(entries).toEqual([
      expect.objectContaining({
        actor: '',
        role: 'none',
        action: 'login',
        target: 'key',
        status: 401,
        count: 1,
      }),
      expect.objectContaining({ actor: 'token', action: 'deleteUser', status: 404 }),
      expect.objectContaining({ actor: 'token', action: 'createUser', status: 201, requestId: 'req-7' }),
      {
        at: expect.stringMatching(/^20\d\d-/),
        actor: 'key eye',
        role: 'viewer',
        action: 'deleteDag',
        target: '/api/v2/dags/nightly',
        address: '',
        changes: [],
        count: 1,
        requestId: expect.any(String),
        status: 403,
      },
      expect.objectContaining({ actor: 'token', role: 'admin', action: 'createApiKey', status: 201 }),
    ])
    expect(JSON.stringify(entries)).not.toContain('horse')
  })

  test('entries are listed in pages', async () => {
    for (let count = 0; count < 5; count++) await start('/dags/none/start')
    const all = (await list()).entries
    const first = await list('?limit=3')
    const second = await list(`?limit=1000&cursor=${first.nextCursor}`)
    expect([...first.entries, ...second.entries]).toEqual(all)
    expect(second).not.toHaveProperty('nextCursor')
  })

  test('concurrent changes are all recorded', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => start(`/dags/burst-${index}/start`)))
    const targets = (await list('?limit=40')).entries.map((entry) => entry.target)
    expect(new Set(targets).size).toBe(40)
  })

  test('a call with NUL in its path leaves no entry, and hides none of other calls', async () => {
    const before = (await list()).entries.length
    await Promise.all(
      Array.from({ length: 9 }, (_, index) => start(index % 2 ? '/dags/%00/start' : '/dags/none/start')),
    )
    expect((await list('?limit=1000')).entries).toHaveLength(before + 5)
  })

  test.each([
    ['NUL in the name of a node', '/dags/x/start?remoteNode=%00'],
    [
      'half a surrogate pair, where a long name is cut',
      `/dags/x/start?remoteNode=${'a'.repeat(63)}%F0%9F%98%80`,
    ],
  ])('%s hides neither its own call nor those beside it', async (_name, path) => {
    const before = (await list()).entries.length
    await Promise.all(Array.from({ length: 9 }, (_, index) => start(index % 2 ? path : '/dags/none/start')))
    expect((await list('?limit=1000')).entries).toHaveLength(before + 9)
  })

  test('without authentication, only calls that change more than runs are recorded', async () => {
    const before = (await list('?limit=1000')).entries.length
    await api.createDag('open', 'steps:\n  - echo 1\n')
    await api.post('/dags/open/start')
    await api.post('/dags/open/suspend', { suspend: true })
    await api.call('DELETE', '/dags/open')
    const { entries } = await list('?limit=1000')
    expect(entries.slice(0, entries.length - before).map(({ action }) => action)).toEqual([
      'deleteDag',
      'createDag',
    ])
  })
})

describe('400 bad_request', () => {
  test.each(['limit=0', 'limit=1001', 'limit=x', 'cursor=-1', 'cursor=abc', `cursor=${'9'.repeat(30)}`])(
    'the query %s',
    async (query) => {
      expect(await api.get(`/audit?${query}`)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    },
  )
})
