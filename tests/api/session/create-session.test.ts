import { beforeEach, describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { createUser } from '#lib/users/create-user.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db } = api.database
const auth = {
  basic: { username: 'root', password: 'the right one' },
  token: 'a-token-of-the-settings',
  tickToken: 'a-token-of-the-tick',
}
const guarded = api.with({ auth })
await createUser(db, { username: 'ann', password: 'correct horse', role: 'operator' })
const { key } = await createApiKey(db, {
  name: 'ci',
  role: 'viewer',
  createdBy: 'x',
  expiresInDays: undefined,
})
beforeEach(async () => {
  await db.sql`delete from millrace.login_failure`
  await db.sql`delete from millrace.session`
})

const signIn = (body: unknown, headers: Record<string, string> = {}) =>
  guarded.call<Record<string, unknown>>('POST', '/session', { body, headers })
const cookieOf = (headers: Headers): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
const ann = { username: 'ann', password: 'correct horse' }

describe('201', () => {
  test.each([
    ['a user', ann, { name: 'ann', role: 'operator' }],
    ['an API key', { token: key }, { name: 'key ci', role: 'viewer' }],
    ['the user of the settings', auth.basic, { name: 'root', role: 'admin' }],
    ['the token of the settings', { token: auth.token }, { name: 'token', role: 'admin' }],
  ])('%s signs in, and the cookie is the credential from then on', async (_who, body, who) => {
    const { status, headers, body: answer } = await signIn(body)
    expect({ status, answer }).toMatchObject({ status: 201, answer: { ...who, authRequired: true } })
    expect(headers.get('set-cookie')).toMatch(
      /^millrace=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    )
    const cookie = cookieOf(headers)
    expect((await guarded.call('GET', '/session', { headers: { cookie } })).body).toMatchObject(who)
    expect((await guarded.call('GET', '/dags', { headers: { cookie: `other=1; ${cookie}` } })).status).toBe(
      200,
    )
  })

  test('behind HTTPS, only a cookie with the prefix __Host- is set and accepted', async () => {
    const https = { 'x-forwarded-proto': 'https' }
    const { headers } = await signIn(ann, https)
    expect(headers.get('set-cookie')).toMatch(/^__Host-millrace=.*; HttpOnly; SameSite=Strict; Secure$/)
    const cookie = cookieOf(headers)
    expect((await guarded.call('GET', '/dags', { headers: { ...https, cookie } })).status).toBe(200)
    const planted = cookie.replace('__Host-', '')
    expect((await guarded.call('GET', '/dags', { headers: { ...https, cookie: planted } })).status).toBe(401)
  })

  test('the database stores nothing that signs in, and the token is always a new one', async () => {
    const before = 'A'.repeat(43)
    const { headers } = await signIn(ann, { cookie: `millrace=${before}`, 'x-millrace': '1' })
    const token = cookieOf(headers).slice('millrace='.length)
    expect(token).not.toBe(before)
    const stored = JSON.stringify(await db.sql`select s::text as line from millrace.session s`)
    for (const text of [token, Buffer.from(token, 'base64url').toString('hex')])
      expect(stored).not.toContain(text)
  })

  test('signing in again ends the previous session', async () => {
    const first = cookieOf((await signIn(ann)).headers)
    await signIn(ann, { cookie: first, 'x-millrace': '1' })
    expect((await guarded.call('GET', '/dags', { headers: { cookie: first } })).status).toBe(401)
  })

  test('the audit log names the user who signed in, and the service log shows no token', async () => {
    const written: string[] = []
    const log = createLog(
      { level: 'debug', part: 'api' },
      { write: (line: string) => void written.push(line) },
    )
    const loud = api.with({ auth, log })
    const { headers } = await loud.call('POST', '/session', { body: ann })
    const cookie = cookieOf(headers)
    await loud.call('GET', '/dags', { headers: { cookie } })
    await loud.call('DELETE', '/session', { headers: { cookie, 'x-millrace': '1' } })
    await loud.call('GET', '/dags', { headers: { cookie } })
    expect(written.join('')).toContain('/api/v2/session')
    expect(written.join('')).not.toContain(cookie.slice('millrace='.length))
    const entries =
      await db.sql`select actor, action, status from millrace.audit_entry order by id desc limit 2`
    expect(entries).toEqual([
      { actor: 'ann', action: 'deleteSession', status: 204 },
      { actor: 'ann', action: 'createSession', status: 201 },
    ])
  })

  test('a user has a maximum number of sessions', async () => {
    const first = cookieOf((await signIn(ann)).headers)
    await db.sql`
      insert into millrace.session (digest, user_name, seal, expires_at)
      select sha256(n::text::bytea), 'ann', sha256(''), clock_timestamp() + interval '1 hour'
      from generate_series(1, 99) n`
    await signIn(ann)
    expect(await db.sql`select count(*)::int as count from millrace.session`).toEqual([{ count: 100 }])
    expect((await guarded.call('GET', '/dags', { headers: { cookie: first } })).status).toBe(401)
  })
})

describe('400 bad_request', () => {
  test.each([
    ['no credential', {}],
    ['half of a credential', { username: 'ann' }],
    ['two credentials', { ...ann, token: 'hunter2-hunter2' }],
    ['an unknown field', { ...ann, pasword: 'hunter2-hunter2' }],
    ['a name with a colon', { username: 'ann:x', password: 'hunter2-hunter2' }],
    ['a token with blanks', { token: 'hunter2 hunter2' }],
    ['a password that is not a text', { username: 'ann', password: ['hunter2'] }],
    ['a password that is too long', { username: 'ann', password: 'hunter2'.repeat(1_000) }],
  ])('%s, which the answer does not quote', async (_what, body) => {
    const { status, headers, body: answer } = await signIn(body)
    expect(status).toBe(400)
    expect(JSON.stringify(answer)).not.toMatch(/hunter2[- "]|hunter2hunter2/)
    expect(headers.get('set-cookie')).toBeNull()
  })

  test('a sign-in when authentication is off', async () => {
    expect((await api.call('POST', '/session', { body: ann })).status).toBe(400)
  })

  test('two session cookies, one of which may be planted', async () => {
    const cookie = `${cookieOf((await signIn(ann)).headers)}; millrace=${'B'.repeat(43)}`
    const { status, body } = await guarded.call('GET', '/dags', { headers: { cookie } })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('more than one session cookie') },
    })
  })

  test('a sign-in at another node', async () => {
    expect((await guarded.call('POST', '/session?remoteNode=eu', { body: ann })).status).toBe(400)
  })
})

describe('401 unauthorized', () => {
  test('wrong passwords are counted, and then refused unchecked', async () => {
    const wrong = { ...ann, password: 'wrong horse' }
    for (let time = 0; time < 10; time++) {
      expect(await signIn(wrong)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    }
    const { status, headers, body } = await signIn(ann)
    expect({ status, body }).toMatchObject({
      status: 401,
      body: { message: expect.stringMatching(/^too many wrong credentials/) },
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    const [entry] =
      await db.sql`select actor, count from millrace.audit_entry where action = 'login' order by id desc`
    expect(entry).toMatchObject({ actor: 'ann', count: 11 })
  })

  test.each([
    ['the script of the page', { 'x-millrace': '1' }],
    ['any script', { 'sec-fetch-mode': 'cors' }],
  ])('the browser shows no password prompt of its own to %s', async (_who, headers) => {
    const asked = (await guarded.call('GET', '/dags')).headers.get('www-authenticate')
    expect(asked).toContain('Basic')
    const ofScript = (await guarded.call('GET', '/dags', { headers })).headers.get('www-authenticate')
    expect(ofScript).toBe('Bearer realm="millrace"')
  })
})

describe('403 forbidden', () => {
  test('the token of the tick', async () => {
    expect((await signIn({ token: auth.tickToken })).status).toBe(403)
  })

  test('a page on another port of this host', async () => {
    const headers = { host: 'localhost:8080', origin: 'http://localhost:9000', 'sec-fetch-site': 'same-site' }
    expect((await signIn(ann, headers)).status).toBe(403)
  })

  test('a foreign host', async () => {
    const strict = api.with({ auth, allowedHosts: ['millrace.example'] })
    expect((await strict.call('GET', '/session', { headers: { host: 'evil.example' } })).status).toBe(403)
  })
})
