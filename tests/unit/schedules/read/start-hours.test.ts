import { expect, test } from 'vitest'
import type { ScheduleLists } from '#lib/definition/definition.ts'
import { diffFires } from '#lib/schedules/read/diff-fires.ts'
import { groupEntries } from '#lib/schedules/read/fire-groups.ts'
import { createSlices } from '#lib/schedules/read/in-slices.ts'
import { plannedFires } from '#lib/schedules/read/planned-fires.ts'
import { startHours } from '#lib/schedules/read/start-hours.ts'

const entry = (fileName: string, expression: string, zone = 'Europe/Berlin', suspended = false) => ({
  fileName,
  kind: 'start' as const,
  expression,
  zone,
  suspended,
})

/** The hours of a span with their starts, as `29 Mar 03: 1`. */
async function hoursOf(fromMs: number, untilMs: number, zone: string, ...expressions: string[]) {
  const span = { fromMs, untilMs }
  const entries = expressions.map((expression, n) => entry(`d${n}`, expression, zone))
  const { starts } = await plannedFires(entries, { span, limit: 100, nowMs: fromMs - 1 }, createSlices())
  return startHours(starts, span, zone).map(({ day, hour, starts: count }) => `${day} ${hour}: ${count}`)
}

test('in Berlin in spring, the hour from 02:00 is skipped and its starts move to its end', async () => {
  const [from, until] = [Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 2, 29, 3)]
  expect(await hoursOf(from, until, 'Europe/Berlin', '30 2 * * *', '*/30 * * * *')).toEqual([
    '2026-03-29 0: 2',
    '2026-03-29 1: 2',
    '2026-03-29 3: 3',
    '2026-03-29 4: 2',
    '2026-03-29 5: 1',
  ])
})

test('in New York in autumn, the hour from 01:00 comes twice: times of day start once, intervals twice', async () => {
  const [from, until] = [Date.UTC(2026, 10, 1, 4), Date.UTC(2026, 10, 1, 7, 59)]
  expect(await hoursOf(from, until, 'America/New_York', '30 1 * * *', '0 * * * *')).toEqual([
    '2026-11-01 0: 1',
    '2026-11-01 1: 3',
    '2026-11-01 2: 1',
  ])
})

test('on Lord Howe Island, the clock changes by half an hour', async () => {
  const [from, until] = [Date.UTC(2026, 9, 3, 14, 30), Date.UTC(2026, 9, 3, 17, 29)]
  expect(await hoursOf(from, until, 'Australia/Lord_Howe', '*/30 * * * *')).toEqual([
    '2026-10-04 1: 2',
    '2026-10-04 2: 1',
    '2026-10-04 3: 2',
    '2026-10-04 4: 1',
  ])
})

test('DAGs with the same schedule form one group, and a minute counts once for each DAG', async () => {
  const entries = [
    ...Array.from({ length: 5 }, (_, n) => entry(`same-${n}`, '0 4 * * *')),
    entry('two', '0 4 * * *'),
    entry('two', '0 4,5 * * *'),
    entry('asleep', '0 4 * * *', 'Europe/Berlin', true),
  ]
  expect(groupEntries(entries).map(({ fileNames }) => fileNames.length)).toEqual([5, 1, 1])
  const from = Date.UTC(2026, 5, 1)
  const span = { fromMs: from, untilMs: from + 86_399_999 }
  const { fires, total, starts } = await plannedFires(
    entries,
    { span, limit: 3, nowMs: from - 1 },
    createSlices(),
  )
  expect(total).toBe(8)
  expect(fires).toHaveLength(3)
  expect(Math.max(...starts)).toBe(6)
})

test('the difference of two schedules counts added, removed and kept times', async () => {
  const lists = (...texts: string[]) => ({
    start: texts.map((expression) => ({ expression, zone: undefined })),
    stop: [],
    restart: [],
  })
  const from = Date.UTC(2026, 2, 28)
  const span = { fromMs: from, untilMs: from + 2 * 86_400_000 - 1 }
  const diff = (before: ScheduleLists, after: ScheduleLists, zone: string) =>
    diffFires(before, after, { ...span, zone }, createSlices())
  expect(await diff(lists('0 4 * * *'), lists('0 4 * * *', '0 5 * * *'), 'UTC')).toMatchObject({
    added: [{ atMs: from + 5 * 3_600_000 }, { atMs: from + 29 * 3_600_000 }],
    removed: [],
    kept: 2,
  })
  // On the day of the change 02:30 and 03:00 are the same moment there.
  expect(await diff(lists('30 2 * * *'), lists('0 3 * * *'), 'Europe/Berlin')).toMatchObject({ kept: 1 })
})
