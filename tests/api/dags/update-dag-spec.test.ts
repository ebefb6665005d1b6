import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { ownDag } from '#tests/support/own-dag.ts'

const api = await testApi()
const one = 'steps:\n  - name: one\n    command: echo 1\n'
const two = 'tags: [new]\nsteps:\n  - name: two\n    command: echo 2\n'
const put = (name: string, spec: unknown, headers: Record<string, string> = {}) =>
  api.call<{ errors: string[] }>('PUT', `/dags/${name}/spec`, { body: { spec }, headers })
const specOf = async (name: string) => (await api.get<{ spec: string }>(`/dags/${name}/spec`)).body.spec

describe('200', () => {
  test('a valid text replaces the old one, and lists show it', async () => {
    await api.createDag('changed', one)
    const answer = await put('changed', two)
    expect(answer).toMatchObject({ status: 200, body: { errors: [] } })
    expect(answer.headers.get('etag')).toBe('"2"')
    expect(await specOf('changed')).toBe(two)
    expect((await api.get('/dags?tag=new')).body).toMatchObject({ dags: [{ fileName: 'changed' }] })
  })

  test('a text with faults is reported and not saved', async () => {
    await api.createDag('kept', one)
    const answer = await put('kept', 'steps:\n  - bogus: 1\n')
    expect(answer.status).toBe(200)
    expect(answer.body.errors.join()).toContain('bogus')
    expect(await specOf('kept')).toBe(one)
  })

  test('If-Match with the current ETag saves', async () => {
    await api.createDag('tagged', one)
    expect((await put('tagged', two, { 'if-match': '"1"' })).headers.get('etag')).toBe('"2"')
  })

  test('a run keeps the text that it started with', async () => {
    await api.createDag('running', one)
    const runId = await api.start('running')
    await put('running', two)
    expect((await api.get(`/dag-runs/running/${runId}`)).body).toMatchObject({
      dagRun: { nodes: [{ step: { name: 'one' } }] },
    })
  })
})

describe('400 bad_request', () => {
  test('a body without a text, or an invalid ETag', async () => {
    await api.createDag('asked', one)
    expect((await api.call('PUT', '/dags/asked/spec', { body: {} })).status).toBe(400)
    expect((await put('asked', 5)).status).toBe(400)
    expect((await put('asked', two, { 'if-match': 'abc' })).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown file', async () => {
    expect(await put('nothing', one)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('412 already_exists', () => {
  test('an edit of a text that was changed meanwhile', async () => {
    await api.createDag('shared', one)
    await put('shared', two, { 'if-match': '"1"' })
    const lost = await put('shared', one, { 'if-match': '"1"' })
    expect(lost).toMatchObject({ status: 412, body: { code: 'already_exists' } })
    expect(await specOf('shared')).toBe(two)
  })
})

describe('409 read_only', () => {
  test('a DAG that a file of the folder of DAGs owns', async () => {
    await api.createDag('owned')
    await ownDag(api.database.db, 'team/owned.yaml')
    const sent = { body: { spec: 'steps: [echo]\n' } }
    expect(await api.call('PUT', '/dags/owned/spec', sent)).toMatchObject({
      status: 409,
      body: {
        code: 'read_only',
        message:
          'DAG "owned" is the file team/owned.yaml of the folder of DAGs (MILLRACE_DAGS_DIR): change it there',
        details: { file: 'team/owned.yaml' },
      },
    })
  })
})
