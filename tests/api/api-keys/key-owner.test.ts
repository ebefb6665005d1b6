import { expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db } = api.database
const token = 'the-token-of-the-settings'
const guarded = api.with({ auth: { basic: undefined, token } })
const asToken = { authorization: `Bearer ${token}` }
const password = 'correct horse battery'
const basic = (name: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})
interface Created {
  readonly key: string
  readonly apiKey: { readonly id: string; readonly owner: string; readonly revokedAt: string }
}

const addUser = (username: string, role = 'admin') =>
  guarded.call('POST', '/users', { headers: asToken, body: { username, password, role } })
const change = (username: string, body: object) =>
  guarded.call('PATCH', `/users/${username}`, { headers: asToken, body })
const remove = (username: string) => guarded.call('DELETE', `/users/${username}`, { headers: asToken })
const makeKey = async (headers: Record<string, string>, role = 'admin') => {
  const { body } = await guarded.call<Created>('POST', '/api-keys', { headers, body: { name: 'k', role } })
  return { ...body, headers: { authorization: `Bearer ${body.key}` } }
}
const status = async (headers: Record<string, string>, path = '/dags') =>
  (await guarded.call('GET', path, { headers })).status

test('a key of a user loses rights when the user is demoted, and regains them with a promotion', async () => {
  await addUser('demoted')
  const { headers, apiKey } = await makeKey(basic('demoted'))
  expect(apiKey.owner).toBe('demoted')
  expect(await status(headers, '/users')).toBe(200)
  await change('demoted', { role: 'viewer' })
  expect(await status(headers, '/users')).toBe(403)
  expect(await status(headers)).toBe(200)
  await change('demoted', { role: 'admin' })
  expect(await status(headers, '/users')).toBe(200)
})

test('a key with fewer rights than its owner has only its own', async () => {
  await addUser('ada')
  const { headers } = await makeKey(basic('ada'), 'viewer')
  expect(await status(headers, '/users')).toBe(403)
})

test('keys of a disabled user are refused until the user is enabled again', async () => {
  await addUser('disabled')
  const { headers } = await makeKey(basic('disabled'))
  await change('disabled', { disabled: true })
  expect(await status(headers)).toBe(401)
  await change('disabled', { disabled: false })
  expect(await status(headers)).toBe(200)
})

test('keys of a removed user, and keys made with them, are revoked even for a new user of that name', async () => {
  await addUser('removed')
  const first = await makeKey(basic('removed'))
  const second = await makeKey(first.headers)
  expect(second.apiKey.owner).toBe('removed')
  expect((await remove('removed')).status).toBe(204)
  for (const { headers } of [first, second]) expect(await status(headers)).toBe(401)
  const { apiKeys } = (
    await guarded.call<{ apiKeys: Created['apiKey'][] }>('GET', '/api-keys', { headers: asToken })
  ).body
  expect(apiKeys.find(({ id }) => id === first.apiKey.id)?.revokedAt).not.toBe('')
  await addUser('removed')
  for (const { headers } of [first, second]) expect(await status(headers)).toBe(401)
})

test('deleting a user directly in the database removes the keys too', async () => {
  await addUser('lost')
  const { headers } = await makeKey(basic('lost'))
  await db.sql`delete from millrace.app_user where name = 'lost'`
  expect(await status(headers)).toBe(401)
  await addUser('lost')
  expect(await status(headers)).toBe(401)
})

test('keys made with a credential of the settings, or without credentials, have no owner and stay', async () => {
  await addUser('token')
  const made = await makeKey(asToken)
  const anonymous = await api.post<Created>('/api-keys', { name: 'k', role: 'admin' })
  expect([made.apiKey.owner, anonymous.body.apiKey.owner]).toEqual(['', ''])
  await remove('token')
  expect(await status(made.headers, '/users')).toBe(200)
})
