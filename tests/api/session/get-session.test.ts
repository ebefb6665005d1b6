import { describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { revokeApiKey } from '#lib/api-keys/revoke-api-key.ts'
import { createUser } from '#lib/users/create-user.ts'
import { deleteUser } from '#lib/users/delete-user.ts'
import { updateUser } from '#lib/users/update-user.ts'
import { createRemoteNodes } from '#lib/api/remote-nodes/remote-nodes.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db } = api.database
const auth = { basic: { username: 'root', password: 'the right one' }, token: 'a-token-of-the-settings' }
const remoteNodes = createRemoteNodes([
  { name: 'eu', baseUrl: 'http://localhost:1', authorization: undefined },
])
const guarded = api.with({ auth, remoteNodes })
let users = 0

async function signIn(body: object): Promise<string> {
  const { status, headers } = await guarded.call('POST', '/session', { body })
  expect(status).toBe(201)
  return (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}
async function newUser() {
  const credential = { username: `user${users++}`, password: 'correct horse' }
  await createUser(db, { ...credential, role: 'operator' })
  return { username: credential.username, cookie: await signIn(credential) }
}
const read = (cookie: string, instance = guarded) => instance.call('GET', '/dags', { headers: { cookie } })
const show = async (cookie: string) =>
  (await guarded.call<Record<string, unknown>>('GET', '/session', { headers: { cookie } })).body

describe('200', () => {
  test('without credentials in the settings, every caller is admin', async () => {
    expect((await api.get('/session')).body).toMatchObject({
      authRequired: false,
      methods: [],
      name: 'anonymous',
      role: 'admin',
      can: { read: true, run: true, write: true, admin: true },
    })
  })

  test('anonymous callers learn how to sign in, and no names', async () => {
    const { body } = await guarded.get<object>('/session')
    expect(body).toMatchObject({
      authRequired: true,
      methods: ['password', 'token'],
      version: '0.0.0-test',
      instance: { zone: 'UTC' },
      nodes: [],
      can: { read: false, run: false, write: false, admin: false },
      limits: { specBytes: 1_048_576, logLines: 10_000 },
    })
    expect(Object.keys(body)).not.toContain('role')
  })

  test('a user learns the role and what it may do, and when the session ends', async () => {
    const { cookie, username } = await newUser()
    const body = await show(cookie)
    expect(body).toMatchObject({
      name: username,
      role: 'operator',
      nodes: ['eu'],
      can: { read: true, run: true, write: false, admin: false },
    })
    expect(Math.abs(Number(body['expiresAtMs']) - Date.now() - 43_200_000)).toBeLessThan(60_000)
  })

  test.each([
    ['a malformed token', 'millrace=x'],
    ['an unknown token', `millrace=${'A'.repeat(43)}`],
    ['an empty token', 'millrace='],
    ['a very long header', `millrace=${'A'.repeat(43)}; x=${'y'.repeat(9_000)}`],
  ])('%s in the cookie signs no one in', async (_what, cookie) => {
    expect((await guarded.call('GET', '/session', { headers: { cookie } })).status).toBe(200)
    expect(await show(cookie)).toMatchObject({ authRequired: true, can: { read: false } })
    expect((await read(cookie)).status).toBe(401)
  })
})

describe('a session ends at once when', () => {
  test.each([
    ['its user is removed', (name: string) => deleteUser(db, name)],
    ['its user is disabled', (name: string) => updateUser(db, name, { disabled: true })],
    ['the password changes', (name: string) => updateUser(db, name, { password: 'battery staple' })],
    [
      'its user is created again with the same name and password',
      async (name: string) => {
        await deleteUser(db, name)
        await createUser(db, { username: name, password: 'correct horse', role: 'admin' })
      },
    ],
  ])('%s', async (_what, change) => {
    const { cookie, username } = await newUser()
    expect((await read(cookie)).status).toBe(200)
    await change(username)
    expect((await read(cookie)).status).toBe(401)
  })

  test('its key is revoked', async () => {
    const { apiKey, key } = await createApiKey(db, {
      name: 'k',
      role: 'viewer',
      createdBy: 'x',
      expiresInDays: undefined,
    })
    const cookie = await signIn({ token: key })
    expect((await read(cookie)).status).toBe(200)
    await revokeApiKey(db, apiKey.id)
    expect((await read(cookie)).status).toBe(401)
  })

  test('the credential of the settings has changed', async () => {
    const ofToken = await signIn({ token: auth.token })
    const ofUser = await signIn(auth.basic)
    const changed = api.with({
      auth: { basic: { ...auth.basic, password: 'another' }, token: 'another-token' },
    })
    for (const cookie of [ofToken, ofUser]) {
      expect((await read(cookie)).status).toBe(200)
      expect((await read(cookie, changed)).status).toBe(401)
    }
  })

  test('it expires, which calls postpone up to 30 days', async () => {
    const { cookie, username } = await newUser()
    const age = (days: number) => db.sql`
      update millrace.session set created_at = clock_timestamp() - ${days} * interval '1 day',
        seen_at = clock_timestamp() - interval '6 minutes', expires_at = clock_timestamp() + interval '1 minute'
      where user_name = ${username}`
    await age(1)
    expect(Number((await show(cookie))['expiresAtMs']) - Date.now()).toBeGreaterThan(42_000_000)
    await age(29.9)
    expect(Number((await show(cookie))['expiresAtMs']) - Date.now()).toBeLessThan(8_700_000)
    await db.sql`update millrace.session set expires_at = clock_timestamp() where user_name = ${username}`
    expect((await read(cookie)).status).toBe(401)
  })
})

test('a session that was used just now writes nothing', async () => {
  const { cookie } = await newUser()
  const versions = () => db.sql`select id, xmin::text from millrace.session order by id`
  const before = await versions()
  await read(cookie)
  expect(await versions()).toEqual(before)
})

test('a lower role applies from the next call on', async () => {
  const { cookie, username } = await newUser()
  await updateUser(db, username, { role: 'viewer' })
  expect(await show(cookie)).toMatchObject({ role: 'viewer', can: { run: false } })
})

test('an event stream ends with its session', async () => {
  const { cookie } = await newUser()
  await api.createDag('nightly')
  const runId = await api.start('nightly')
  const response = await guarded.open(`/dag-runs/nightly/${runId}/events`, { cookie })
  const reading = response.text()
  await guarded.call('DELETE', '/session', { headers: { cookie, 'x-millrace': '1' } })
  expect(await reading).toContain('event: revoked')
})

test('the tick removes expired sessions', async () => {
  const { username } = await newUser()
  await db.sql`update millrace.session set expires_at = created_at where user_name = ${username}`
  const left = () => db.sql`select id from millrace.session where user_name = ${username}`
  expect(await left()).toHaveLength(1)
  await api.post('/tick')
  expect(await left()).toEqual([])
})
