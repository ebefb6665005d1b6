import { describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const textOf = (word: string) => `steps:\n  - {name: work, command: echo ${word}}\n`
interface List {
  readonly versions: readonly { readonly version: number; readonly savedAtMs: number }[]
  readonly nextCursor?: string
}
const list = async (name: string, query = '') => (await api.get<List>(`/dags/${name}/versions${query}`)).body
const put = (
  name: string,
  word: string,
  headers: Record<string, string> = {},
  by: Pick<typeof api, 'call'> = api,
) => by.call('PUT', `/dags/${name}/spec`, { body: { spec: textOf(word), message: `say ${word}` }, headers })

describe('200', () => {
  test('versions are listed newest first, with who saved them, when, from where and why', async () => {
    const { key } = await createApiKey(api.database.db, {
      name: 'release',
      role: 'editor',
      createdBy: 'test',
      expiresInDays: undefined,
    })
    const guarded = api.with({ auth: { basic: undefined, token: 'of-the-settings' } })
    await api.createDag('told', textOf('one'))
    await put('told', 'two', { authorization: `Bearer ${key}` }, guarded)
    await put('told', 'three', { 'x-millrace': 'cli' })
    await put('told', 'four', { 'x-millrace': '1' })
    const at = { savedAt: expect.stringMatching(/^20\d\d-/), savedAtMs: expect.any(Number) }
    expect(await list('told')).toEqual({
      versions: [
        { version: 4, fileName: 'told', change: 'saved', source: 'page', message: 'say four', ...at },
        { version: 3, fileName: 'told', change: 'saved', source: 'cli', message: 'say three', ...at },
        {
          version: 2,
          fileName: 'told',
          change: 'saved',
          source: 'api',
          savedBy: 'key release',
          message: 'say two',
          ...at,
        },
        { version: 1, fileName: 'told', change: 'created', source: 'api', ...at },
      ],
    })
  })

  test('an unchanged text and a text with faults make no version', async () => {
    await api.createDag('same', textOf('one'))
    expect((await put('same', 'one')).headers.get('etag')).toBe('"1"')
    await api.call('PUT', '/dags/same/spec', { body: { spec: 'steps: [' } })
    expect((await list('same')).versions).toHaveLength(1)
  })

  test('a renamed DAG keeps its history', async () => {
    await api.createDag('before', textOf('one'))
    await put('before', 'two')
    await api.post('/dags/before/rename', { newFileName: 'after' })
    expect((await list('after')).versions).toMatchObject([
      { version: 3, fileName: 'after', change: 'renamed' },
      { version: 2, fileName: 'before', change: 'saved' },
      { version: 1, fileName: 'before', change: 'created' },
    ])
    expect((await api.get('/dags/before/versions')).status).toBe(404)
  })

  test('a deleted DAG keeps its history, which continues when it is created again', async () => {
    await api.createDag('phoenix', textOf('one'))
    await api.call('DELETE', '/dags/phoenix')
    expect((await list('phoenix')).versions).toMatchObject([
      { version: 2, change: 'deleted' },
      { version: 1, change: 'created' },
    ])
    await api.createDag('phoenix', textOf('two'))
    expect((await list('phoenix')).versions).toMatchObject([
      { version: 3, change: 'created' },
      { version: 2 },
      { version: 1 },
    ])
    expect((await api.get('/dags/phoenix/spec')).headers.get('etag')).toBe('"3"')
  })

  test('a rename replaces the history of a deleted DAG with the new name', async () => {
    await api.createDag('left')
    await api.call('DELETE', '/dags/left')
    await api.createDag('mover', textOf('one'))
    await api.post('/dags/mover/rename', { newFileName: 'left' })
    expect((await list('left')).versions).toMatchObject([
      { version: 2, change: 'renamed' },
      { version: 1, fileName: 'mover' },
    ])
  })

  test('versions are listed in pages', async () => {
    await api.createDag('paged', textOf('one'))
    for (const word of ['two', 'three', 'four', 'five']) await put('paged', word)
    const first = await list('paged', '?limit=2')
    expect(first).toMatchObject({ versions: [{ version: 5 }, { version: 4 }], nextCursor: '4' })
    const second = await list('paged', `?limit=3&cursor=${first.nextCursor}`)
    expect(second.versions.map(({ version }) => version)).toEqual([3, 2, 1])
    expect(second).not.toHaveProperty('nextCursor')
  })
})

describe('400 bad_request', () => {
  test('an invalid limit or cursor, and a message that is too long', async () => {
    await api.createDag('asked')
    expect((await api.get('/dags/asked/versions?limit=101')).status).toBe(400)
    expect((await api.get('/dags/asked/versions?cursor=x')).status).toBe(400)
    const body = { spec: textOf('long'), message: 'x'.repeat(501) }
    expect((await api.call('PUT', '/dags/asked/spec', { body })).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('a file that never existed', async () => {
    expect(await api.get('/dags/nothing/versions')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})
