import { expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()

async function ask(given: Parameters<typeof api.with>[0], path: string) {
  const answer = await api.with(given).fetch(new Request(`http://localhost${path}`))
  return [answer.status, await answer.json()]
}

test('a process with a database of its version or a newer one is ready', async () => {
  expect(await ask({}, '/readyz')).toEqual([200, { status: 'ready' }])
  await api.database.db.sql`insert into millrace.migration (name, hash) values ('9999_of_tomorrow.sql', 'x')`
  expect(await ask({}, '/readyz')).toEqual([200, { status: 'ready' }])
})

test('a draining process is not ready, but alive, and still answers', async () => {
  const given = { draining: AbortSignal.abort() }
  expect(await ask(given, '/readyz')).toEqual([
    503,
    { status: 'not ready', reason: 'the process is shutting down' },
  ])
  expect(await ask(given, '/livez')).toEqual([200, { status: 'alive' }])
  expect(await ask(given, '/api/v2/dags')).toMatchObject([200, {}])
})

test('a process without its database is alive and not ready', async () => {
  const db = api.database.open({ max: 1 })
  await db.close()
  const reason = 'the database cannot be reached'
  expect(await ask({ db }, '/readyz')).toEqual([503, { status: 'not ready', reason }])
  expect(await ask({ db }, '/livez')).toEqual([200, { status: 'alive' }])
})

test('a process with pending migrations is not ready, and names them', async () => {
  const { db } = api.database
  await db.sql`delete from millrace.migration where name = '0004_totals.sql'`
  const [status, body] = await ask({}, '/readyz')
  expect([status, body]).toEqual([
    503,
    { status: 'not ready', reason: 'migrations are pending: 0004_totals.sql' },
  ])
  await db.sql`alter table millrace.migration rename to away`
  expect(await ask({}, '/readyz')).toMatchObject([
    503,
    { reason: expect.stringMatching(/^migrations are pending: 0001_.*0004_/) as string },
  ])
  await db.sql`alter table millrace.away rename to migration`
})
