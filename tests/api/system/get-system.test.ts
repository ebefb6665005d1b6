import { describe, expect, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { keepHeartbeat } from '#lib/processes/keep-heartbeat.ts'
import { testApi } from '#tests/support/api.ts'
import { until } from '#tests/support/until.ts'

const api = await testApi()
const { db } = api.database

interface System {
  readonly version: string
  readonly findings: { readonly check: string; readonly level: string; readonly text: string }[]
  readonly processes: { readonly part: string; readonly version: string; readonly isActive: boolean }[]
  readonly migrations: { readonly applied: { readonly name: string }[]; readonly pending: string[] }
  readonly limits: Record<string, number>
}
const get = async () => (await api.get<System>('/system')).body
const finding = async (check: string) => (await get()).findings.find((one) => one.check === check)

describe('200', () => {
  test('the findings are those of the doctor within the service', async () => {
    expect((await get()).findings.map(({ check }) => check)).toEqual([
      'settings',
      'database',
      'clock',
      'LISTEN',
      'migrations',
      'shared settings',
      'DAG folder',
      'log store',
      'tick',
      'runners',
      'invariants',
    ])
    expect(await finding('database')).toMatchObject({
      level: 'ok',
      text: expect.stringMatching(/^PostgreSQL/),
    })
    expect(await finding('tick')).toMatchObject({ level: 'warn', text: 'no tick has run yet' })
    expect(await finding('log store')).toMatchObject({ level: 'ok' })
  })

  test('a failing check does not affect the others', async () => {
    await db.sql`alter table millrace.ticker rename to ticker_gone`
    try {
      expect(await finding('tick')).toMatchObject({ level: 'fail' })
      expect(await finding('database')).toMatchObject({ level: 'ok' })
    } finally {
      await db.sql`alter table millrace.ticker_gone rename to ticker`
    }
  })

  test('migrations and limits are listed', async () => {
    const { migrations, limits: shown, version } = await get()
    expect(version).toBe('0.0.0-test')
    expect(migrations.applied[0]?.name).toMatch(/^0001_/)
    expect(migrations.pending).toEqual([])
    expect(shown).toMatchObject({
      specBytesMax: limits.specBytesMax,
      'loginFailures.windowMs': limits.loginFailures.windowMs,
    })
  })

  test('processes are listed with their versions until they end or fall silent', async () => {
    await db.sql`insert into millrace.process (id, part, host, pid, version, started_at, seen_at) values
      ('late', 'runner', 'h', 1, '0.9.0', now() - interval '1 hour', now() - interval '2 minutes'),
      ('lost', 'runner', 'h', 2, '0.8.0', now() - interval '1 hour', now() - interval '6 minutes')`
    const end = keepHeartbeat(db, { part: 'api', version: '1.2.3' })
    await until('the silent process is removed', async () => (await get()).processes.length === 2)
    expect((await get()).processes).toEqual([
      expect.objectContaining({ part: 'api', version: '1.2.3', pid: process.pid, isActive: true }),
      expect.objectContaining({ part: 'runner', version: '0.9.0', isActive: false }),
    ])
    await end()
    expect((await get()).processes).toHaveLength(1)
  })
})
