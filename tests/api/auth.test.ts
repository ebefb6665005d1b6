import { describe, expect, test } from 'vitest'
import { checkAccess, createAuthenticator, type AuthSettings, type Caller } from '#lib/api/auth/auth.ts'
import type { Access } from '#lib/api/auth/access.ts'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { listApiKeys } from '#lib/api-keys/list-api-keys.ts'
import { revokeApiKey } from '#lib/api-keys/revoke-api-key.ts'
import { roles } from '#lib/core/roles.ts'
import { createUser } from '#lib/users/create-user.ts'
import { deleteUser } from '#lib/users/delete-user.ts'
import { updateUser } from '#lib/users/update-user.ts'
import { testDatabase } from '#tests/support/database.ts'

const { db } = await testDatabase()

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const codeOf = async (act: () => unknown): Promise<unknown> => {
  try {
    await act()
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
  return 'passed'
}
let machines = 0
/** An instance of the API, called from an address of its own that has no failed logins. */
const instance = (settings: Partial<AuthSettings> = {}) => {
  const { identify, challenges } = createAuthenticator({ basic: undefined, token: 'tok-1', ...settings }, db)
  const address = `192.0.2.${machines++}`
  return { challenges, identify, ask: (header?: string, from = address) => identify(header, from) }
}

test('without credentials in the settings, every caller may do everything', async () => {
  const { ask } = instance({ token: undefined })
  expect(await ask()).toMatchObject({ name: 'anonymous', role: 'admin' })
})

describe('with a user and a token in the settings', () => {
  const both = () => instance({ basic: { username: 'ann', password: 'a:b ü' } })

  test('the right password is accepted, colons and all', async () => {
    expect(await both().ask(basic('ann:a:b ü'))).toEqual({ name: 'ann', role: 'admin' })
  })

  test('the right token is accepted, whatever the case of the scheme and the blanks around it', async () => {
    expect((await both().ask('bearer tok-1')).role).toBe('admin')
    expect((await both().ask('  BEARER    tok-1  ')).role).toBe('admin')
  })

  test.each([
    ['a wrong password', basic('ann:nope')],
    ['a wrong user', basic('bob:a:b ü')],
    ['a wrong token', 'Bearer tok-2'],
    ['a token instead of a password', basic('tok-1')],
    ['a password instead of a token', 'Bearer ann:a:b ü'],
    ['another scheme', 'Digest tok-1'],
    ['two credentials', 'Bearer tok-1 tok-1'],
    ['an empty header', ''],
    ['blanks', '   '],
    ['a scheme without a credential', 'Bearer'],
    ['no user', basic(':a:b ü')],
    ['no colon', basic('ann')],
    ['a NUL', basic('ann\0:a:b ü')],
    ['a control character in the name', basic('ann\u001b[2J:a:b ü')],
    ['a name that is too long', basic(`${'a'.repeat(300)}:a:b ü`)],
    ['a password that is too long', basic(`ann:${'a'.repeat(2_000)}`)],
    ['text that is not UTF-8', `Basic ${Buffer.from('ann:a:b \xfc', 'latin1').toString('base64')}`],
    ['text that is not base64', 'Basic %%%'],
    ['a very long header', `Bearer ${'x'.repeat(100_000)}`],
  ])('%s is refused', async (_what, header) => {
    expect(await codeOf(() => both().ask(header))).toBe('unauthorized')
  })

  test('a caller without a credential may not read', async () => {
    const caller = await both().ask(undefined)
    expect(await codeOf(() => checkAccess(caller, 'read'))).toBe('unauthorized')
    expect(await codeOf(() => checkAccess(caller, 'public'))).toBe('passed')
  })

  test('the configured authentication scheme is named first', () => {
    expect(both().challenges[0]).toMatch(/^Basic /)
    expect(instance().challenges[0]).toMatch(/^Bearer /)
  })
})

describe('a user', () => {
  test('logs in with name and password in any Unicode form', async () => {
    await createUser(db, { username: 'zoë', role: 'operator', password: 'caf\u00e9:\u{1f511} x' })
    expect(await instance().ask(basic('zoë:cafe\u0301:\u{1f511} x'))).toMatchObject({
      name: 'zoë',
      role: 'operator',
    })
    expect(await codeOf(() => instance().ask(basic('zoë:cafe:\u{1f511} x')))).toBe('unauthorized')
  })

  test('who is changed, disabled or removed is so from the next call on, on every instance', async () => {
    await createUser(db, { username: 'carl', role: 'viewer', password: 'first password' })
    const [one, other] = [instance(), instance()]
    const login = basic('carl:first password')
    for (const { ask } of [one, other]) expect((await ask(login)).role).toBe('viewer')
    await updateUser(db, 'carl', { role: 'editor' })
    for (const { ask } of [one, other]) expect((await ask(login)).role).toBe('editor')
    await updateUser(db, 'carl', { disabled: true })
    for (const { ask } of [one, other]) expect(await codeOf(() => ask(login))).toBe('unauthorized')
    await updateUser(db, 'carl', { disabled: false, password: 'second password' })
    for (const { ask } of [one, other]) expect(await codeOf(() => ask(login))).toBe('unauthorized')
    expect((await one.ask(basic('carl:second password'))).role).toBe('editor')
    await deleteUser(db, 'carl')
    expect(await codeOf(() => one.ask(basic('carl:second password')))).toBe('unauthorized')
  })

  test('may log in many times at once', async () => {
    await createUser(db, { username: 'dora', role: 'viewer', password: 'a long password' })
    const { ask } = instance()
    const callers = await Promise.all(Array.from({ length: 6 }, () => ask(basic('dora:a long password'))))
    expect(callers.map((caller) => caller.role)).toEqual(Array.from({ length: 6 }, () => 'viewer'))
  })
})

describe('a key', () => {
  const make = (expiresInDays?: number) =>
    createApiKey(db, { name: 'ci', role: 'operator', createdBy: 'ann', expiresInDays })

  test('is accepted until it is revoked, and its use is recorded', async () => {
    const { ask } = instance()
    const { key, apiKey } = await make()
    expect(await ask(`Bearer ${key}`)).toMatchObject({ name: 'key ci', role: 'operator' })
    const kept = (await listApiKeys(db)).find((one) => one.id === apiKey.id)
    expect(kept?.lastUsedAt).toBeGreaterThan(0)
    await revokeApiKey(db, apiKey.id)
    expect(await codeOf(() => ask(`Bearer ${key}`))).toBe('unauthorized')
  })

  test('is refused after it expires', async () => {
    const { key, apiKey } = await make(1)
    expect((await instance().ask(`Bearer ${key}`)).role).toBe('operator')
    await db.sql`update millrace.api_key set expires_at = clock_timestamp() where id = ${apiKey.id}`
    expect(await codeOf(() => instance().ask(`Bearer ${key}`))).toBe('unauthorized')
  })

  test('is not stored in clear text, and is not accepted as a password', async () => {
    const { key } = await make()
    const rows = await db.sql`select to_jsonb(k)::text as row from millrace.api_key k`
    expect(JSON.stringify(rows)).not.toContain(key.slice(12))
    expect(await codeOf(() => instance().ask(basic(`ci:${key}`)))).toBe('unauthorized')
  })
})

const accesses: Access[] = ['read', 'run', 'write', 'admin']

test.each(
  roles.flatMap((role, rank) => accesses.map((access, asked) => [role, access, rank >= asked] as const)),
)('a caller with the role %s may call a route for %s: %s', (role, access, passes) => {
  const caller: Caller = { name: 'x', role }
  return expect(codeOf(() => checkAccess(caller, access))).resolves.toBe(passes ? 'passed' : 'forbidden')
})
