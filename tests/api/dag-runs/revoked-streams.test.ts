import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { revokeApiKey } from '#lib/api-keys/revoke-api-key.ts'
import type { Role } from '#lib/core/roles.ts'
import { createUser } from '#lib/users/create-user.ts'
import { deleteUser } from '#lib/users/delete-user.ts'
import { updateUser } from '#lib/users/update-user.ts'
import { testApi } from '#tests/support/api.ts'
import { EventReader } from '#tests/support/event-source.ts'

const api = await testApi()
const { db } = api.database
const token = 'the-token-of-the-settings'
const guarded = api.with({ auth: { basic: undefined, token } })
await api.createDag('slow')
const run = await api.start('slow')
await api.claim()

const open = async (authorization: string, path = 'events') =>
  new EventReader(await guarded.open(`/dag-runs/slow/${run}/${path}`, { authorization }))
const keyOf = async (role: Role, owner?: string) => {
  const { apiKey, key } = await createApiKey(db, {
    name: 'k',
    role,
    createdBy: 'test',
    owner,
    expiresInDays: undefined,
  })
  return { id: apiKey.id, authorization: `Bearer ${key}` }
}
const userOf = async (username: string, role: Role) => {
  const password = 'correct horse battery'
  await createUser(db, { username, role, password })
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}
const revoked = { id: '', event: 'revoked', data: { code: 'unauthorized' } }

test.each([
  ['revoked', (id: string) => revokeApiKey(db, id)],
  [
    'expired',
    (id: string) => db.sql`update millrace.api_key set expires_at = clock_timestamp() where id = ${id}`,
  ],
])('the streams of a key end when it is %s, and those of other callers continue', async (_what, end) => {
  const [key, other] = [await keyOf('viewer'), await keyOf('viewer')]
  const streams = [await open(key.authorization), await open(key.authorization, 'log/stream')]
  const kept = await open(other.authorization)
  const byToken = await open(`Bearer ${token}`)
  for (const stream of [streams[0], kept, byToken]) expect((await stream?.next())?.event).toBe('state')
  await end(key.id)
  for (const stream of streams) expect(await stream.rest()).toEqual([revoked])
  for (const stream of [kept, byToken]) {
    const waiting = stream.next()
    expect(await Promise.race([waiting, Promise.resolve('open')])).toBe('open')
    await stream.close()
  }
})

test.each([
  ['removed', (name: string) => deleteUser(db, name)],
  ['disabled', (name: string) => updateUser(db, name, { disabled: true })],
  ['demoted', (name: string) => updateUser(db, name, { role: 'viewer' })],
  ['given another password', (name: string) => updateUser(db, name, { password: 'quite another one' })],
])('the streams of a user end when the user is %s', async (what, end) => {
  const name = `user-${what.replaceAll(' ', '-')}`
  const stream = await open(await userOf(name, 'editor'))
  expect((await stream.next())?.event).toBe('state')
  await end(name)
  expect(await stream.rest()).toEqual([revoked])
})

test('the streams of a key end when its owner is demoted, not when the owner is promoted', async () => {
  await userOf('owner', 'operator')
  const key = await keyOf('admin', 'owner')
  const stream = await open(key.authorization)
  expect((await stream.next())?.event).toBe('state')
  await updateUser(db, 'owner', { role: 'admin' })
  const other = await open(key.authorization)
  expect((await other.next())?.event).toBe('state')
  await updateUser(db, 'owner', { role: 'editor' })
  expect(await other.rest()).toEqual([revoked])
  const waiting = stream.next()
  expect(await Promise.race([waiting, Promise.resolve('open')])).toBe('open')
  await updateUser(db, 'owner', { role: 'viewer' })
  expect(await waiting).toEqual(revoked)
})

test('a download with a revoked key is aborted, and one with another key continues', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      await setImmediate()
      yield Buffer.alloc(1_024)
    }
  }
  const logs = Object.assign(Object.create(api.parts.logs) as typeof api.parts.logs, { read: endless })
  const slow = api.with({ auth: { basic: undefined, token }, logs })
  const [key, other] = [await keyOf('viewer'), await keyOf('viewer')]
  const [download, kept] = await Promise.all(
    [key, other].map(async ({ authorization }) => {
      const answer = await slow.open(`/dag-runs/slow/${run}/log/raw`, { authorization })
      expect(answer.status).toBe(200)
      return (answer.body as ReadableStream<Uint8Array>).getReader()
    }),
  )
  expect((await download?.read())?.done).toBe(false)
  await revokeApiKey(db, key.id)
  const readOn = async (): Promise<void> => {
    while ((await download?.read())?.done === false);
  }
  await expect(readOn()).rejects.toThrow()
  expect((await kept?.read())?.done).toBe(false)
  await kept?.cancel()
})
