import { beforeEach, describe, expect, test } from 'vitest'
import { createAuthenticator, type AuthSettings } from '#lib/api/auth/auth.ts'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { createUser } from '#lib/users/create-user.ts'
import { forgetAttempts } from '#lib/users/login-attempts.ts'
import { testDatabase } from '#tests/support/database.ts'

const { db } = await testDatabase()
const own = { username: 'root', password: 'the right one' }
await createUser(db, { username: 'ann', role: 'viewer', password: 'correct horse' })
await createUser(db, { username: 'bob', role: 'viewer', password: 'battery staple' })
beforeEach(async () => {
  await db.sql`delete from millrace.login_failure`
})

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const instance = (settings: Partial<AuthSettings> = {}) =>
  createAuthenticator({ basic: own, token: undefined, ...settings }, db)
const here = '192.0.2.1'

/** The result of a login: the name of the caller, or the kind of the refusal. */
async function outcome(
  { identify }: Pick<ReturnType<typeof instance>, 'identify'>,
  header: string,
  from = here,
): Promise<string> {
  try {
    return (await identify(header, from)).name
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    if (error.code === 'service_unavailable') return 'busy'
    return error.message.startsWith('too many') ? 'unchecked' : 'wrong'
  }
}

const count = (outcomes: readonly string[], which: string): number =>
  outcomes.filter((one) => one === which).length

describe('guesses are counted before they are checked', () => {
  test.each([
    ['a user of the database', 'ann'],
    ['the user of the settings', 'root'],
    ['an unknown user', 'zed'],
  ])('at most ten of 500 concurrent guesses for %s are checked by two instances', async (_who, name) => {
    const instances = [instance(), instance()]
    const guess = (at: number) =>
      outcome(instances[at % 2] as ReturnType<typeof instance>, basic(`${name}:guess ${at}`))
    const first = await Promise.all(Array.from({ length: 500 }, (_, at) => guess(at)))
    // Guesses refused because too many were waiting try again.
    const second = await Promise.all(Array.from({ length: 40 }, (_, at) => guess(1_000 + at)))
    expect(count([...first, ...second], 'wrong')).toBeLessThanOrEqual(10)
    expect(await outcome(instance(), basic(`${name}:one more`))).toBe('unchecked')
  })

  test('the right password among 500 guesses is not found after the limit', async () => {
    const { identify } = instance()
    const names = await Promise.all(
      Array.from({ length: 500 }, (_, at) =>
        outcome({ identify }, basic(at === 300 ? 'root:the right one' : `root:guess ${at}`)),
      ),
    )
    expect(names[300]).toBe('unchecked')
  })

  test('wrong guesses against a cached password are counted too', async () => {
    const one = instance()
    expect(await outcome(one, basic('ann:correct horse'))).toBe('ann')
    const wrong = await Promise.all(Array.from({ length: 30 }, (_, at) => outcome(one, basic(`ann:g${at}`))))
    expect(count(wrong, 'wrong')).toBe(10)
    expect(await outcome(one, basic('ann:correct horse'))).toBe('unchecked')
  })

  test('after ten wrong passwords, no instance checks passwords from that address', async () => {
    const [one, other] = [instance(), instance()]
    for (let time = 0; time < 5; time++) {
      for (const each of [one, other]) expect(await outcome(each, basic(`root:wrong ${time}`))).toBe('wrong')
    }
    for (const { identify } of [one, other]) {
      await expect(identify(basic('root:the right one'), here)).rejects.toMatchObject({
        code: 'unauthorized',
        message: expect.stringMatching(/^too many wrong credentials; try again in \d+ seconds$/),
        retryAfterSeconds: expect.any(Number),
      })
    }
    expect(await outcome(one, basic('root:the right one'), '192.0.2.2')).toBe('root')
  })

  test('right passwords are not counted, and their address stays known when failures are forgotten', async () => {
    for (let time = 0; time < 12; time++) {
      expect(await outcome(instance(), basic('root:the right one'))).toBe('root')
    }
    await db.sql`update millrace.login_failure set since = since - interval '1 hour'`
    await forgetAttempts(db)
    const rows = await db.sql`select subject from millrace.login_failure`
    expect(rows).toEqual([{ subject: '["user at","root","192.0.2.1"]' }])
  })

  test('wrong passwords are forgotten after five minutes', async () => {
    const one = instance()
    for (let time = 0; time < 10; time++) await outcome(one, basic(`root:wrong ${time}`))
    await db.sql`update millrace.login_failure set since = since - interval '301 seconds'`
    expect(await outcome(one, basic('root:the right one'))).toBe('root')
  })

  test('40 concurrent logins of one client count as one', async () => {
    const one = instance()
    const names = await Promise.all(
      Array.from({ length: 40 }, () => outcome(one, basic('bob:battery staple'))),
    )
    expect(new Set(names)).toEqual(new Set(['bob']))
  })

  test('a cached password and a key write nothing', async () => {
    const one = instance()
    const { key } = await createApiKey(db, {
      name: 'k',
      role: 'viewer',
      createdBy: 'x',
      expiresInDays: undefined,
    })
    const all = [basic('root:the right one'), basic('ann:correct horse'), `Bearer ${key}`]
    for (const header of all) await outcome(one, header)
    const versions = () => db.sql`
      select xmin::text, subject as name from millrace.login_failure
      union all select xmin::text, name from millrace.api_key order by 2`
    const before = await versions()
    for (const header of all) expect(await outcome(one, header)).not.toBe('wrong')
    expect(await versions()).toEqual(before)
  })
})

describe('guesses by others lock nobody out', () => {
  test('any number of wrong keys does not affect right keys and passwords', async () => {
    const one = instance({ token: 'a-token-of-the-settings' })
    const { key } = await createApiKey(db, {
      name: 'k',
      role: 'viewer',
      createdBy: 'x',
      expiresInDays: undefined,
    })
    const guesses = Array.from({ length: 300 }, (_, at) => `Bearer mr_${String(at).padEnd(43, 'x')}`)
    const found = await Promise.all([...guesses, 'Bearer guess'].map((guess) => outcome(one, guess)))
    expect(count(found, 'wrong')).toBe(301)
    expect(await outcome(one, `Bearer ${key}`)).toBe('key k')
    expect(await outcome(one, 'Bearer a-token-of-the-settings')).toBe('token')
    expect(await outcome(one, basic('root:the right one'))).toBe('root')
  })

  test('guesses from a thousand other addresses do not lock a user out', async () => {
    const one = instance()
    await db.sql`
      insert into millrace.login_failure (subject, failures, since)
      values ('["user","ann"]', 1000, clock_timestamp())`
    expect(await outcome(one, basic('ann:correct horse'), '198.51.100.9')).toBe('ann')
    for (let time = 0; time < 4; time++) await outcome(one, basic(`ann:wrong ${time}`), '198.51.100.8')
    expect(await outcome(one, basic('ann:correct horse'), '198.51.100.8')).toBe('unchecked')
  })

  test('guesses for other users from the same address do not lock a user out', async () => {
    const [one, fresh] = [instance(), instance()]
    for (let time = 0; time < 11; time++) await outcome(one, basic(`bob:wrong ${time}`))
    await db.sql`update millrace.login_failure set failures = 500 where subject = '["address","192.0.2.1"]'`
    expect(await outcome(one, basic('bob:battery staple'))).toBe('unchecked')
    expect(await outcome(fresh, basic('ann:correct horse'))).toBe('ann')
    expect(await outcome(fresh, basic('root:the right one'))).toBe('root')
  })

  test('a name that looks like the counter of another user has its own counter', async () => {
    const one = instance()
    const names = ['root at 192.0.2.1', 'at","root', '"user at","root","192.0.2.1']
    for (const name of names) {
      for (let time = 0; time < 11; time++) await outcome(one, basic(`${name}:${time}`), '203.0.113.1')
    }
    expect(await outcome(one, basic('root:the right one'))).toBe('root')
  })

  test('a flood of unknown names does not lock out a user who has logged in from there before', async () => {
    const one = instance()
    expect(await outcome(one, basic('ann:correct horse'))).toBe('ann')
    expect(await outcome(one, basic('root:the right one'))).toBe('root')
    const fresh = instance()
    const flood = Array.from({ length: 200 }, (_, at) => outcome(fresh, basic(`nobody-${at}:guess`)))
    expect(await outcome(fresh, basic('ann:correct horse'))).toBe('ann')
    expect(await outcome(fresh, basic('root:the right one'))).toBe('root')
    expect(count(await Promise.all(flood), 'busy')).toBeGreaterThan(100)
  })

  test('all addresses of an IPv6 network count as one', async () => {
    const one = instance()
    for (let time = 0; time < 10; time++) {
      await outcome(one, basic(`ann:wrong ${time}`), `2001:db8:0:7::${time.toString(16)}`)
    }
    expect(await outcome(one, basic('ann:correct horse'), '2001:DB8:0:7:ffff::1')).toBe('unchecked')
    expect(await outcome(one, basic('ann:correct horse'), '2001:db8:0:8::1')).toBe('ann')
  })
})
