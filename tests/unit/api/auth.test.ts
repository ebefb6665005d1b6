import { describe, expect, test } from 'vitest'
import { checkAccess, createAuthenticator, type Caller } from '#lib/api/auth.ts'
import type { Access } from '#lib/api/define-route.ts'

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const codeOf = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
  return 'passed'
}

describe('without credentials in the configuration', () => {
  const open = createAuthenticator({ basic: undefined, token: undefined })

  test('everybody may do everything', () => {
    const caller = open.identify(undefined)
    expect(codeOf(() => checkAccess(caller, 'admin'))).toBe('passed')
  })
})

describe('with a user and a token', () => {
  const both = createAuthenticator({ basic: { username: 'ann', password: 'a:b ü' }, token: 'tok-1' })

  test('the right password is accepted, colons and all', () => {
    expect(both.identify(basic('ann:a:b ü'))).toEqual({ name: 'ann', role: 'admin' })
  })

  test('the right token is accepted, whatever the case of the scheme', () => {
    expect(both.identify('bearer tok-1').role).toBe('admin')
  })

  test.each([
    ['a wrong password', basic('ann:nope')],
    ['a wrong user', basic('bob:a:b ü')],
    ['a wrong token', 'Bearer tok-2'],
    ['a token in the place of a password', basic('tok-1')],
    ['a password in the place of a token', 'Bearer ann:a:b ü'],
    ['another scheme', 'Digest tok-1'],
    ['an empty header', ''],
    ['no credential behind the scheme', 'Bearer'],
  ])('%s is refused', (_what, header) => {
    expect(codeOf(() => both.identify(header))).toBe('unauthorized')
  })

  test('nobody may read without a credential', () => {
    expect(codeOf(() => checkAccess(both.identify(undefined), 'read'))).toBe('unauthorized')
    expect(codeOf(() => checkAccess(both.identify(undefined), 'public'))).toBe('passed')
  })
})

test('an empty token in a header does not match a service that has users only', () => {
  const users = createAuthenticator({ basic: { username: 'ann', password: 'pw' }, token: undefined })
  expect(codeOf(() => users.identify('Bearer '))).toBe('unauthorized')
  expect(users.challenge).toMatch(/^Basic /)
})

const roles = ['viewer', 'operator', 'editor', 'admin'] as const
const accesses: Access[] = ['read', 'run', 'write', 'admin']

test.each(
  roles.flatMap((role, rank) => accesses.map((access, asked) => [role, access, rank >= asked] as const)),
)('a caller with the role %s and a route for %s: %s', (role, access, passes) => {
  const caller: Caller = { name: 'x', role }
  expect(codeOf(() => checkAccess(caller, access))).toBe(passes ? 'passed' : 'forbidden')
})
