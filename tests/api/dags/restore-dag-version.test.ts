import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { ownDag } from '#tests/support/own-dag.ts'

const api = await testApi()
const textOf = (word: string) => `steps:\n  - {name: work, command: echo ${word}}\n`
const restore = (name: string, version: number, headers: Record<string, string> = {}, body: unknown = {}) =>
  api.call('POST', `/dags/${name}/versions/${version}/restore`, { headers, body })
const specOf = async (name: string) => (await api.get<{ spec: string }>(`/dags/${name}/spec`)).body.spec

async function twoVersions(name: string): Promise<void> {
  await api.createDag(name, textOf('one'))
  await api.call('PUT', `/dags/${name}/spec`, { body: { spec: textOf('two') } })
}

describe('200', () => {
  test('the old text becomes the newest version, which names the restored one', async () => {
    await twoVersions('undone')
    const answer = await restore('undone', 1, { 'if-match': '"2"' }, { message: 'two was wrong' })
    expect(answer).toMatchObject({ status: 200, body: { version: 3, warnings: [] } })
    expect(answer.headers.get('etag')).toBe('"3"')
    expect(await specOf('undone')).toBe(textOf('one'))
    expect((await api.get('/dags/undone/versions?limit=1')).body).toMatchObject({
      versions: [{ version: 3, change: 'restored', restoredVersion: 1, message: 'two was wrong' }],
    })
  })

  test('the current text makes no new version', async () => {
    await twoVersions('calm')
    expect((await restore('calm', 2)).body).toMatchObject({ version: 2 })
  })

  test('a deleted DAG is restored with its schedule', async () => {
    await api.createDag('back', `schedule: '0 3 * * *'\n${textOf('one')}`)
    await api.call('DELETE', '/dags/back')
    expect((await restore('back', 2)).body).toMatchObject({ version: 3 })
    expect((await api.get('/dags/back')).body).toMatchObject({
      version: 3,
      dag: { schedule: [{ expression: '0 3 * * *' }] },
    })
  })
})

describe('400 bad_request', () => {
  test('a version whose text has faults', async () => {
    await twoVersions('broken')
    await api.storeSpec('broken', 'steps: [')
    await api.storeSpec('broken', textOf('two'))
    expect(await restore('broken', 3)).toMatchObject({
      status: 400,
      body: { code: 'bad_request', message: expect.stringContaining('version 3 has errors') },
    })
    expect(await specOf('broken')).toBe(textOf('two'))
  })
})

describe('404 not_found', () => {
  test('an unknown version, an unknown DAG', async () => {
    await twoVersions('known')
    expect((await restore('known', 9)).status).toBe(404)
    expect((await restore('nothing', 1)).status).toBe(404)
  })
})

describe('409 read_only', () => {
  test('a DAG that a file of the folder of DAGs owns', async () => {
    await twoVersions('owned')
    await ownDag(api.database.db, 'team/owned.yaml')
    expect(await restore('owned', 1)).toMatchObject({ status: 409, body: { code: 'read_only' } })
  })
})

describe('412 already_exists', () => {
  test('a DAG that was saved meanwhile', async () => {
    await twoVersions('shared')
    expect(await restore('shared', 1, { 'if-match': '"1"' })).toMatchObject({
      status: 412,
      body: { code: 'already_exists' },
    })
    expect(await specOf('shared')).toBe(textOf('two'))
  })
})
