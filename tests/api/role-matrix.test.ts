import { describe, expect, test } from 'vitest'
import { routesV1 } from '#functions/api/routes-v1.ts'
import { routes } from '#functions/api/routes.ts'
import type { Access } from '#lib/api/auth/access.ts'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { revokeApiKey } from '#lib/api-keys/revoke-api-key.ts'
import { roles, type Role } from '#lib/core/roles.ts'
import { createUser } from '#lib/users/create-user.ts'
import { updateUser } from '#lib/users/update-user.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db } = api.database
const guarded = api.with({ auth: { basic: undefined, token: 'a-token-of-the-settings' } })
const keyOf = (role: Role) =>
  createApiKey(db, { name: role, role, createdBy: 'test', expiresInDays: undefined })
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const basic = (login: string) => ({ authorization: `Basic ${Buffer.from(login).toString('base64')}` })

const revoked = await keyOf('admin')
await revokeApiKey(db, revoked.apiKey.id)
const expired = await keyOf('admin')
await db.sql`update millrace.api_key set expires_at = clock_timestamp() where id = ${expired.apiKey.id}`
await createUser(db, { username: 'gone', password: 'correct horse', role: 'admin' })
await updateUser(db, 'gone', { disabled: true })
await createUser(db, { username: 'boss', password: 'correct horse', role: 'admin' })

/** The credential of a call, and the rank of the role that it gives; 0 is none at all. */
const callers: readonly (readonly [string, Record<string, string>, number])[] = [
  ['an anonymous caller', {}, 0],
  ['a wrong key', bearer('mr_guess'), 0],
  ['a key in the query', {}, 0],
  ['a revoked key', bearer(revoked.key), 0],
  ['an expired key', bearer(expired.key), 0],
  ['a disabled user', basic('gone:correct horse'), 0],
  ...(await Promise.all(
    roles.map(async (role, rank) => [role, bearer((await keyOf(role)).key), rank + 1] as const),
  )),
  ['a user who is admin', basic('boss:correct horse'), 4],
  ['the token of the settings', bearer('a-token-of-the-settings'), 4],
]

const needed: Readonly<Record<Access, number>> = {
  public: 0,
  session: 0,
  read: 1,
  run: 2,
  write: 3,
  admin: 4,
  tick: 4,
}

const everyRoute = [
  ...routes.map((route) => ['v2', route] as const),
  ...routesV1.map((route) => ['v1', route] as const),
]

describe.each(
  everyRoute.map(
    ([version, route]) =>
      [`${version}: ${route.method.toUpperCase()} ${route.path}`, version, route] as const,
  ),
)('%s', (_name, version, route) => {
  test.each(callers)('called by %s', async (who, headers, rank) => {
    await db.sql`delete from millrace.login_failure`
    const path = `/../${version}${route.path.replaceAll(/\{\w+\}/g, 'no-such-thing')}`
    const query = who === 'a key in the query' ? '?token=a-token-of-the-settings' : ''
    const { status, body } = await guarded.call<{ code?: string }>(route.method.toUpperCase(), path + query, {
      headers,
      ...(route.method !== 'get' && { body: {} }),
    })
    const asked = needed[route.access]
    if (rank >= asked) expect([401, 403]).not.toContain(status)
    else if (rank === 0) expect({ status, code: body.code }).toEqual({ status: 401, code: 'unauthorized' })
    else expect({ status, code: body.code }).toEqual({ status: 403, code: 'forbidden' })
  })
})

test('the routes of each role are those of the documentation', () => {
  const of = (access: Access) =>
    routes.filter((route) => route.access === access).map((route) => route.operationId)
  expect({
    public: of('public'),
    session: of('session'),
    run: of('run'),
    write: of('write'),
    admin: of('admin'),
  }).toMatchInlineSnapshot(`
    {
      "admin": [
        "getSystem",
        "listSettings",
        "listNodes",
        "controlQueue",
        "drainWorker",
        "resumeWorker",
        "listUsers",
        "createUser",
        "updateUser",
        "deleteUser",
        "endUserSessions",
        "listApiKeys",
        "createApiKey",
        "revokeApiKey",
        "listAuditEntries",
      ],
      "public": [
        "getHealth",
      ],
      "run": [
        "batchDags",
        "startDag",
        "enqueueDag",
        "suspendDag",
        "stopAllDagRuns",
        "batchDagRuns",
        "stopDagRun",
        "retryDagRun",
        "rescheduleDagRun",
        "dequeueDagRun",
        "updateStepStatus",
        "updateChildStepStatus",
      ],
      "session": [
        "getSession",
        "createSession",
        "deleteSession",
        "getPreferences",
        "updatePreferences",
      ],
      "write": [
        "createDag",
        "deleteDag",
        "updateDagSpec",
        "restoreDagVersion",
        "renameDag",
        "startInlineRun",
        "enqueueInlineRun",
      ],
    }
  `)
})
