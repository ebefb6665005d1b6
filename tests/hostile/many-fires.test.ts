import { expect, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { diffFires } from '#lib/schedules/read/diff-fires.ts'
import { createSlices } from '#lib/schedules/read/in-slices.ts'
import { plannedFires } from '#lib/schedules/read/planned-fires.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

const dayMs = 86_400_000
/** A span with a clock change in Berlin. */
const fromMs = Date.UTC(2026, 2, 1)
const span = { fromMs, untilMs: fromMs + limits.scheduleDaysMax * dayMs }
/** Distinct schedules that fire in nearly every minute. A DAG may have ten times as many. */
const restless = Array.from({ length: limits.schedulesMax / 10 }, (_, n) => ({
  expression: `${n % 60}-59,0-${n % 60} 0-${n % 23},${n % 23}-23 * * *`,
  zone: 'Europe/Berlin',
}))

/** How often the event loop turned during the work. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false
  let turns = 0
  const look = (): void => {
    turns += 1
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  await work.finally(() => (isDone = true))
  return turns
}

test(
  'computing many schedules that fire all the time does not block the event loop',
  { timeout: 120_000 },
  async () => {
    const lists = { start: restless, stop: [], restart: restless }
    const none = { start: [], stop: [], restart: [] }
    const work = diffFires(none, lists, { ...span, zone: 'UTC' }, createSlices(60_000))
    expect(await turnsDuring(work)).toBeGreaterThan(5)
    expect((await work).added.length).toBeGreaterThan(2 * 31 * 24 * 59)

    const entries = restless.map((entry) => ({
      ...entry,
      fileName: 'one',
      kind: 'start' as const,
      suspended: false,
    }))
    const planned = plannedFires(entries, { span, limit: 10, nowMs: fromMs - 1 }, createSlices(60_000))
    expect(await turnsDuring(planned)).toBeGreaterThan(5)
    expect((await planned).fires).toHaveLength(10)
  },
)

test('counting fires without listing them is fast', { timeout: 120_000 }, async () => {
  const entries = Array.from({ length: 500 }, (_, n) => ({
    fileName: `d${n}`,
    kind: 'start' as const,
    expression: '* * * * *',
    zone: 'UTC',
    suspended: false,
  }))
  const spent = cpuTime()
  const { fires, total } = await plannedFires(
    entries,
    { span, limit: 0, nowMs: fromMs - 1 },
    createSlices(60_000),
  )
  expect(fires).toEqual([])
  expect(total).toBe(500 * (31 * 1_440 + 1))
  expect(spent()).toBeLessThan(1_000)
})

test('work that exceeds its time limit is aborted', async () => {
  const endless = (function* () {
    for (;;) yield
  })()
  await expect(createSlices(100)(endless)).rejects.toMatchObject({ code: 'service_unavailable' })
})
