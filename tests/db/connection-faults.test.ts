import dns from 'node:dns'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connect, type ConnectOptions, type Database } from '#lib/db/client.ts'
import { codeOf, isUnavailable } from '#lib/db/errors.ts'
import { testDatabase } from '#tests/support/database.ts'
import { startProxy, type Cut, type TcpProxy, type Way } from '#tests/support/tcp-proxy.ts'
import { until } from '#tests/support/until.ts'

const { url, db: direct } = await testDatabase()

async function client(
  options: Partial<ConnectOptions> = {},
): Promise<{ readonly db: Database; readonly proxy: TcpProxy }> {
  const proxy = await startProxy(url)
  const db = connect(proxy.through(url), {
    max: 4,
    applicationName: 'faults',
    statementMs: 1_500,
    ...options,
  })
  onTestFinished(async () => {
    await db.close()
    await proxy.close()
  })
  return { db, proxy }
}

/**
 * Requests numbers that no other call requests. Undefined if the database was unreachable; a wrong answer throws.
 */
async function ask(db: Database, from: number, count = 50): Promise<'right' | undefined> {
  const wanted = Array.from({ length: count }, (_, index) => from + index)
  try {
    const rows = await db.sql<{ n: number; filler: string }[]>`
      select n, repeat('x', 500) as filler from generate_series(${from}::int, ${from + count - 1}::int) as n`
    expect([...rows].map((row) => row?.n)).toEqual(wanted)
    return 'right'
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return undefined
  }
}

test.each<Cut>(['end', 'reset', 'reset in an answer'])(
  'after a cut (%s) no answer is wrong, and the next comes from a new connection',
  async (how) => {
    const { db, proxy } = await client()
    for (let round = 0; round < 30; round++) {
      expect(await Promise.all([0, 1, 2].map((part) => ask(db, round * 1_000 + part * 100)))).toContain(
        'right',
      )
      proxy.cut(how, round)
      if (round % 2 === 0) await Promise.all([3, 4, 5, 6].map((part) => ask(db, round * 1_000 + part * 100)))
      await until('the database answers again', () => ask(db, round))
    }
    expect(await ask(db, 7)).toBe('right')
  },
)

test('statements over connections that are often cut are answered right or fail, and never late', async () => {
  const { db, proxy } = await client({ max: 8 })
  let asked = 0
  let isOver = false
  const askAll = async (from: number): Promise<void> => {
    for (; !isOver; asked++) {
      const begun = performance.now()
      await ask(db, from)
      expect(performance.now() - begun).toBeLessThan(8_000)
    }
  }
  const asking = Array.from({ length: 16 }, (_, index) => askAll(index * 1_000))
  const hows: Cut[] = ['end', 'reset', 'reset in an answer']
  for (let cut = 0; cut < 100; cut++) {
    proxy.cut(hows[cut % 3] ?? 'end', cut * 7)
    if (cut % 10 === 0) proxy.silence(cut * 3)
    if (cut % 3 === 0) {
      await direct.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'faults' order by random() limit 1`
    }
    const before = asked
    await until('more calls were made', () => asked > before + 8, { everyMs: 2 })
  }
  isOver = true
  await Promise.all(asking)
  expect(asked).toBeGreaterThan(800)
})

test.each<Way>(['silent', 'closing', 'refusing'])(
  'calls fail in time while the network is %s, and are answered at once afterwards',
  async (way) => {
    const { db, proxy } = await client()
    await Promise.all([1, 2, 3, 4].map((from) => ask(db, from)))
    await proxy.way(way)
    for (let round = 0; round < 3; round++) {
      const begun = performance.now()
      expect(new Set(await Promise.all([1, 2, 3, 4, 5, 6].map((from) => ask(db, from))))).toEqual(
        new Set([undefined]),
      )
      expect(performance.now() - begun).toBeLessThan(5_000)
    }
    await proxy.way('open')
    const begun = performance.now()
    expect(await ask(db, 1)).toBe('right')
    expect(performance.now() - begun).toBeLessThan(1_500)
  },
)

test('idle connections that fell silent cost one deadline, not one each', async () => {
  const { db, proxy } = await client()
  await Promise.all([1, 2, 3, 4].map((from) => ask(db, from)))
  await proxy.way('silent')
  await proxy.way('open')
  expect(await ask(db, 1)).toBeUndefined()
  expect(await Promise.all([1, 2, 3, 4].map((from) => ask(db, from)))).toEqual(Array(4).fill('right'))
})

test('a slow statement is cancelled on both sides', async () => {
  const { db } = await client()
  const error: unknown = await db.sql`select pg_sleep(20)`.catch((failure: unknown) => failure)
  expect([codeOf(error), isUnavailable(error)]).toEqual(['57014', true])
  const busy = await direct.sql`
    select 1 from pg_stat_activity where application_name = 'faults' and state = 'active'`
  expect(busy).toHaveLength(0)
  expect(await db.within(9_000).sql`select pg_sleep(1.8), 1 as one`).toMatchObject([{ one: 1 }])
  expect(codeOf(await db.sql`select pg_sleep(20)`.catch((failure: unknown) => failure))).toBe('57014')
})

test('a call that waits for a connection fails in time, and is not sent afterwards', async () => {
  const { db } = await client({ max: 1 })
  const first = db.within(9_000).sql`select pg_sleep(2.5)`.then(() => 'slept')
  const second = db.call('no_such_function').catch(codeOf)
  expect(await second).toBe('ETIMEDOUT')
  expect(await first).toBe('slept')
})

test('delayed answers arrive in order', async () => {
  const { db, proxy } = await client({ statementMs: 20_000 })
  proxy.delay(20)
  expect(await Promise.all(Array.from({ length: 20 }, (_, from) => ask(db, from * 100)))).toEqual(
    Array(20).fill('right'),
  )
})

test('notifications arrive again after the listening connection was lost', async () => {
  const { db, proxy } = await client()
  let hints = 0
  const listening = db.listen(['millrace_work'], () => (hints += 1))
  onTestFinished(() => listening.stop())
  for (let round = 0; round < 2; round++) {
    await until('the client listens', () => hints > 0)
    hints = 0
    await direct.sql`select pg_notify('millrace_work', '')`
    await until('the notification arrived', () => hints === 1)
    hints = 0
    proxy.cut('reset')
  }
})

test('a connection to a server that became a standby is dropped, because the host may have moved', async () => {
  const { db, proxy } = await client({ max: 1 })
  await db.sql.unsafe('set default_transaction_read_only = on')
  const error: unknown = await db.sql`create table public.unwritten ()`.catch((failure: unknown) => failure)
  expect([codeOf(error), isUnavailable(error)]).toEqual(['25006', true])
  await db.sql`create table public.written ()`
  expect(proxy.made()).toBe(2)
})

test('a host that moves is found, because its name is resolved for each connection', async () => {
  const before = await startProxy(url)
  const { port } = new URL(before.through(url))
  const after = await startProxy(url, { address: '127.0.0.2', port: Number(port) })
  let address = '127.0.0.1'
  const resolver = vi.spyOn(dns, 'lookup').mockImplementation(((_name, _options, done) => {
    done(null, [{ address, family: 4 }])
  }) as Lookup as typeof dns.lookup)
  const named = new URL(before.through(url))
  named.hostname = 'database.test'
  const db = connect(named.href, { max: 2, applicationName: 'faults', statementMs: 1_500 })
  onTestFinished(async () => {
    resolver.mockRestore()
    await db.close()
    await Promise.all([before.close(), after.close()])
  })
  expect(await ask(db, 1)).toBe('right')
  address = '127.0.0.2'
  await before.way('silent')
  expect(await ask(db, 2), 'what was open is lost').toBeUndefined()
  expect(await ask(db, 3)).toBe('right')
  expect(after.made()).toBe(1)
})

type Lookup = (
  name: string,
  options: object,
  done: (error: null, addresses: { address: string; family: number }[]) => void,
) => void

test('a process that was frozen replaces idle connections, even if its timers are late', async () => {
  const { db, proxy } = await client({ max: 1, idleSec: 0.05 })
  expect(await ask(db, 1)).toBe('right')
  const thawAt = performance.now() + 100
  while (performance.now() < thawAt); // as when frozen: nothing else of this process runs
  expect(await ask(db, 2)).toBe('right')
  expect(proxy.made()).toBe(2)
})
