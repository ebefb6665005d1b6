import { describe, expect, test } from 'vitest'
import { recordHeartbeat } from '#lib/tick/record-heartbeat.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db } = api.database
const list = async () =>
  (await api.get<{ schedulers: { status: string }[] }>('/services/scheduler')).body.schedulers
const metric = async () => (await api.get<string>('/metrics')).body

describe('200', () => {
  test('the list is empty before the first tick', async () => {
    expect(await list()).toEqual([])
    expect(await metric()).toContain('millrace_scheduler_running 0')
  })

  test('a process that ticks is listed once', async () => {
    await recordHeartbeat(db)
    await recordHeartbeat(db)
    expect(await list()).toEqual([
      {
        instanceId: expect.stringContaining(`-${process.pid}-`),
        host: expect.stringMatching(/./),
        status: 'active',
        startedAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        heartbeatAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
    ])
    expect(await metric()).toContain('millrace_scheduler_running 1')
  })

  test('a silent process is inactive, and removed after five minutes', async () => {
    await db.sql`insert into millrace.ticker (id, host, heartbeat_at)
      values ('old', 'h', now() - interval '100 seconds'), ('older', 'h', now() - interval '6 minutes')`
    expect((await list()).map(({ status }) => status).sort()).toEqual(['active', 'inactive', 'inactive'])
    await recordHeartbeat(db)
    expect(await list()).toHaveLength(2)
    await db.sql`update millrace.ticker set heartbeat_at = now() - interval '100 seconds'`
    expect(await metric()).toContain('millrace_scheduler_running 0')
  })
})
