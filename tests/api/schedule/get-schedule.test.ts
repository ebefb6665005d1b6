import { describe, expect, test } from 'vitest'
import type { Answer } from '#lib/client/client.ts'
import { testApi } from '#tests/support/api.ts'
import { createMinutely, missMinutes } from '#tests/support/missed-instants.ts'
import { rewriteRuns } from '#tests/support/rewrite-runs.ts'

const api = await testApi()
const { db } = api.database
const steps = 'steps:\n  - {name: work, command: a}\n'
const hour = 3_600_000

type Schedule = Extract<Answer<'getSchedule'>, { status: 200 }>['body']

async function read(query: Record<string, string | number> = {}): Promise<Schedule> {
  const { status, body } = await api.get<Schedule>(
    `/schedule?${new URLSearchParams(query as never).toString()}`,
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const ofFile = ({ fires }: Schedule, name: string) => fires.filter(({ fileName }) => fileName === name)

describe('200', () => {
  test('the fire times of a week have their zone and kind', async () => {
    await api.createDag('berlin', `schedule: "CRON_TZ=Europe/Berlin 0 3 * * *"\n${steps}`)
    await api.createDag(
      'three',
      `schedule: {start: "0 2 * * *", stop: "0 5 * * *", restart: "0 6 * * *"}\n${steps}`,
    )
    const answer = await read({ zone: 'UTC' })
    const times = ofFile(answer, 'three').map(({ at, kind }) => `${at.slice(11, 16)} ${kind}`)
    expect(times.toSorted().filter((time, index, all) => time !== all[index - 1])).toEqual([
      '02:00 start',
      '05:00 stop',
      '06:00 restart',
    ])
    expect(times).toHaveLength(21)
    expect(ofFile(answer, 'berlin')).toHaveLength(7)
    expect(ofFile(answer, 'berlin')[0]).toMatchObject({ kind: 'start', zone: 'Europe/Berlin' })
    expect(ofFile(answer, 'three')[0]?.zone).toBe('UTC')
    expect(answer.coming).toBe(28)
  })

  test('hours are in the requested zone, and name the minute with most starts', async () => {
    for (const name of ['busy-1', 'busy-2', 'busy-3']) {
      await api.createDag(name, `schedule: ["30 20 * * *", "30 20 * * 0-6"]\n${steps}`)
    }
    await api.createDag('beside', `schedule: "45 20 * * *"\n${steps}`)
    const { hours, zone } = await read({
      zone: 'Asia/Kathmandu',
      from: 1_792_000_000,
      to: 1_792_086_400 + hour / 1000,
    })
    expect(zone).toBe('Asia/Kathmandu')
    expect(hours).toEqual([])
    const from = Math.ceil(Date.now() / 86_400_000) * 86_400
    const next = await read({ zone: 'Asia/Kathmandu', from, to: from + 86_400 })
    // 20:30 and 20:45 in UTC are 02:15 and 02:30 of the next day there.
    const day = new Date((from + 86_400) * 1000).toISOString().slice(0, 10)
    expect(next.hours.find((one) => one.day === day && one.hour === 2)).toMatchObject({ starts: 4, peak: 3 })
    expect(next.hours.find(({ hour: at }) => at === 2)?.peakAt.slice(11, 16)).toBe('20:30')
  })

  test('suspended DAGs are shown but not counted, and the soonest fire times are listed', async () => {
    await api.createDag('asleep', `schedule: "* * * * *"\n${steps}`)
    await api.createDag('awake', `schedule: "* * * * *"\n${steps}`)
    await api.post('/dags/asleep/suspend', { suspend: true })
    const answer = await read({ limit: 20 })
    expect(answer.fires).toHaveLength(20)
    const minutes = [...new Set(answer.fires.map(({ at }) => Date.parse(at)))]
    expect(Math.max(...minutes) - Math.min(...minutes)).toBeLessThan(11 * 60_000)
    expect(ofFile(answer, 'asleep')[0]).toMatchObject({ suspended: true })
    expect(ofFile(answer, 'awake')[0]).not.toHaveProperty('suspended')
    expect(answer.coming).toBeGreaterThan(20_000)
    expect(Math.max(...answer.hours.map(({ starts }) => starts))).toBeLessThan(70)
  })

  test('the schedule of one DAG has its entries and the clock changes of three months', async () => {
    const answer = await read({ dag: 'berlin', to: Math.floor(Date.now() / 1000) + 92 * 86_400 })
    expect(answer.entries).toEqual([
      { kind: 'start', expression: '0 3 * * *', zone: 'Europe/Berlin', hasZone: true },
    ])
    expect(new Set(answer.fires.map(({ fileName }) => fileName))).toEqual(new Set(['berlin']))
    const year = await Promise.all(
      [0, 90, 180, 270].map(async (days) => {
        const from = Math.floor(Date.now() / 1000) + days * 86_400
        return (await read({ dag: 'berlin', from, to: from + 90 * 86_400 })).clockChanges
      }),
    )
    expect(
      year
        .flat()
        .map(({ minutes }) => minutes)
        .toSorted((one, other) => one - other),
    ).toEqual([-60, 60])
  })

  test('past times have their run with its delay, or the reason why they were missed', async () => {
    await createMinutely(db, 'past', '')
    const first = await missMinutes(db, 'past', 30)
    await api.post('/tick')
    const run = await api.start('past', { dagRunId: 'served' })
    await rewriteRuns(
      db,
      `scheduled_at = millrace.at(${first - hour}), schedule_kind = 'start', trigger_type = 'schedule',
        started_at = millrace.at(${first - hour + 90_000})`,
      run,
    )
    const from = Math.floor(first / 1000) - 7_200
    const answer = await read({ dag: 'past', from, limit: 100 })
    const missed = answer.fires.filter((fire) => fire.missed !== undefined)
    expect(missed.length).toBeGreaterThanOrEqual(30)
    expect(missed[0]).toMatchObject({ missed: 'no tick ran in time', fileName: 'past' })
    expect(Date.parse(missed[0]?.at ?? '')).toBe(first)
    const served = answer.fires.find((fire) => fire.run?.dagRunId === 'served')
    expect(served?.run).toMatchObject({ name: 'past', lateMs: 90_000, status: 0 })
    expect(answer.started).toBeGreaterThanOrEqual(1)
  })

  test('a due time that no tick has served is overdue', async () => {
    await createMinutely(db, 'late', '')
    await missMinutes(db, 'late', 3)
    const from = Math.floor(Date.now() / 1000) - 600
    const overdue = (await read({ dag: 'late', from })).fires.filter((fire) => fire.overdue)
    expect(overdue).toHaveLength(1)
    expect(overdue[0]).not.toHaveProperty('run')
  })
})

describe('400 bad_request', () => {
  test.each([
    ['from=2000&to=1000', 'before to'],
    ['from=0&to=4000000', 'at most 31 days'],
    ['from=0&to=40000000&dag=berlin', 'at most 93 days'],
    ['limit=2001', 'at most 2000'],
    ['zone=Mars/Olympus', 'time zone'],
  ])('the query %s', async (query, message) => {
    const answer = await api.get<{ message: string }>(`/schedule?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
  })
})

describe('404 not_found', () => {
  test('an unknown DAG', async () => {
    expect((await api.get('/schedule?dag=nobody')).status).toBe(404)
  })
})
