import { afterAll, describe, expect, test } from 'vitest'
import { createRemoteNodes } from '#lib/api/remote-nodes/remote-nodes.ts'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import type { Role } from '#lib/core/roles.ts'
import { listen } from '#local/listen.ts'
import { testApi } from '#tests/support/api.ts'
import { EventReader } from '#tests/support/event-source.ts'

const api = await testApi()
const { db } = api.database
const token = 'the-token-of-the-settings'
const auth = { basic: undefined, token }
const secrets = [
  'hunter2-env',
  'hunter2-smtp',
  'hunter2-image',
  'hunter2-header',
  'hunter2-shell',
  'hunter2-base',
]
const base = 'env:\n  - BASE_TOKEN: hunter2-base\n'
const spec = `env:
  - DB_PASSWORD: &p hunter2-env
  - REGION: eu-central
params:
  - PLACE: region-hunter2-env
smtp: {host: mail, port: 25, username: me, password: hunter2-smtp}
registryAuths: {ghcr.io: {username: me, password: hunter2-image}}
steps:
  - name: call
    executor: {type: http, config: {headers: {Authorization: Bearer hunter2-header}}}
    command: GET http://127.0.0.1:1/
    preconditions: [{condition: *p, expected: x}]
  - name: work
    command: *p
    output: REPORT
  - name: login
    command: 'true'
    output: LOGIN_TOKEN
  - name: shell
    script: |
      export API_KEY=hunter2-shell
`
const withBase = { auth, defaults: { zone: 'UTC', base } }
const near = api.with(withBase)
expect(
  await near.call('POST', '/dags', {
    headers: { authorization: `Bearer ${token}` },
    body: { name: 'nightly', spec },
  }),
).toMatchObject({ status: 201 })
const ended = await api.start('nightly')
await api.finish(ended, 'failed', { call: 'success', work: 'failed', login: 'success' })
await db.sql`
  update millrace.dag_run_step
  set outputs = case name
    when 'work' then '{"REPORT": "sent hunter2-env, é"}'::jsonb else '{"LOGIN_TOKEN": "hunter2-image"}' end
  where name in ('work', 'login') and run_key = (select run_key from millrace.dag_run where run_id = ${ended})`
const going = await api.start('nightly')
await api.claim()

const served = await listen(near.fetch, { host: '127.0.0.1', port: 0, trustedProxies: [] })
afterAll(() => served.close())
const remoteNodes = createRemoteNodes([
  { name: 'far', baseUrl: `${served.url}/api/v2`, authorization: `Bearer ${token}` },
])
const guarded = api.with({ ...withBase, remoteNodes })

const as = async (role: Role) => {
  const { key } = await createApiKey(db, { name: role, role, createdBy: 'test', expiresInDays: undefined })
  const headers = { authorization: `Bearer ${key}` }
  return {
    get: async (path: string) => JSON.stringify((await guarded.call('GET', path, { headers })).body),
    ask: async (path: string, body: object) =>
      JSON.stringify((await guarded.call('POST', path, { headers, body })).body),
    open: async (path: string) => new EventReader(await guarded.open(path, headers)),
    etag: async () => (await guarded.call('GET', '/dags/nightly/spec', { headers })).headers.get('etag'),
  }
}
const [viewer, operator, editor] = [await as('viewer'), await as('operator'), await as('editor')]

const shownIn = (text: string): string[] => secrets.filter((secret) => text.includes(secret))

const reads = [
  '/dags/nightly',
  '/dags/nightly/spec',
  `/dag-runs/nightly/${ended}`,
  `/dag-runs/nightly/${ended}/spec`,
  `/dag-runs/nightly/${ended}/why`,
  `/dag-runs/nightly/${ended}/outputs`,
  `/dag-runs/nightly/latest`,
  `/dags/nightly/dag-runs/${ended}`,
  `/dags/nightly/dag-runs`,
  '/dags',
  '/dag-runs',
  '/dags/search?q=steps',
  '/api/v1/dags/nightly?tab=spec',
  '/api/v1/dags/nightly?tab=history',
  '/api/v1/search?q=steps',
  '/dags/nightly/spec?remoteNode=far',
  `/dag-runs/nightly/${ended}/spec?remoteNode=far`,
]

describe.each([
  ['a viewer', viewer],
  ['an operator', operator],
])('%s', (_who, reader) => {
  test.each(reads)('sees no secret in GET %s', async (path) => {
    const text = await reader.get(path)
    expect(text).not.toContain('"code"')
    expect(shownIn(text)).toEqual([])
    // Read again, because the answer to an editor in between must not be cached for viewers.
    await editor.get(path)
    expect(await reader.get(path)).toBe(text)
  })

  test('sees everything but secrets, and where they stand', async () => {
    const text = await reader.get('/dags/nightly')
    expect(text).toContain('"env":["BASE_TOKEN=*****","DB_PASSWORD=*****","REGION=eu-central"]')
    expect(await reader.get('/dags/nightly/spec')).toContain('DB_PASSWORD: &p \\"*****\\"')
  })

  test('sees outputs without secrets', async () => {
    const text = await reader.get(`/dag-runs/nightly/${ended}/outputs`)
    expect(text).toContain('"outputs":{"report":"sent *****, é","loginToken":"*****"}')
  })

  test('sees no secret in the stream of a run', async () => {
    const stream = await reader.open(`/dag-runs/nightly/${going}/events`)
    const state = JSON.stringify(await stream.next())
    expect(state).toContain('*****')
    expect(shownIn(state)).toEqual([])
    await stream.close()
  })

  test('finds no secret by a search for any part of it', async () => {
    for (const q of ['hunter2', 'hunter2-env', 'PASSWORD: &p h', '-shell', 'r2-s']) {
      for (const path of [
        `/dags/search?q=${encodeURIComponent(q)}`,
        `/api/v1/search?q=${encodeURIComponent(q)}`,
      ]) {
        expect(await reader.get(path)).toMatch(/"results":\[\]|"Results":\[\]/)
      }
    }
    expect(await reader.get('/dags/search?q=eu-central')).toContain('nightly')
  })

  test('sees no secret of the base configuration in a plan', async () => {
    const trick = `env:
  - COPY: \${BASE_TOKEN}
  - PART: \${BASE_TOKEN:3:4}
steps:
  - name: a
    executor: jq
    command: .a
    script: '{"x": "\${BASE_TOKEN}"}'
`
    const text = await reader.ask('/dags/validate?plan=true', { spec: trick })
    expect(text).toContain('"valid":true')
    expect(shownIn(text)).toEqual([])
    expect(text).not.toContain('ter2')
  })

  test('cannot use a plan to check a guess of a secret in the base configuration', async () => {
    const guess = 'steps:\n  - name: a\n    executor: jq\n    command: ". hunter2-base hunter2-other"\n'
    const text = await reader.ask('/dags/validate?plan=true', { spec: guess })
    expect(text).toContain('. hunter2-base hunter2-other')
  })
})

test('an editor sees the unmasked text and outputs, with the same ETag', async () => {
  expect(shownIn(await editor.get('/dags/nightly/spec'))).toEqual(secrets)
  expect(await editor.get('/dags/search?q=hunter2-smtp')).toContain('hunter2-smtp')
  expect(await editor.get('/dags')).toContain('PLACE=\\"region-hunter2-env\\"')
  expect(await editor.get(`/dag-runs/nightly/${ended}/outputs`)).toContain('"loginToken":"hunter2-image"')
  expect(await editor.etag()).toBe(await viewer.etag())
})

test('the structured form of a DAG never has the passwords of mail servers and registries', async () => {
  expect(shownIn(await editor.get('/dags/nightly'))).not.toContain('hunter2-smtp')
  expect(shownIn(await editor.get('/dags/nightly'))).not.toContain('hunter2-image')
})

test('without credentials in the settings, every caller sees the text', async () => {
  expect(JSON.stringify((await api.get('/dags/nightly/spec')).body)).toContain('hunter2-env')
})

test('the header with the role can lower the rights of a caller, but not raise them', async () => {
  const headers = { authorization: `Bearer ${token}`, 'x-millrace-role': 'viewer' }
  expect((await guarded.call('GET', '/users', { headers })).status).toBe(403)
  const { key } = await createApiKey(db, {
    name: 'low',
    role: 'viewer',
    createdBy: 'test',
    expiresInDays: undefined,
  })
  const raised = { authorization: `Bearer ${key}`, 'x-millrace-role': 'admin' }
  expect((await guarded.call('GET', '/users', { headers: raised })).status).toBe(403)
})
