import { describe, expect, test } from 'vitest'
import { fireTimesBetween } from '#lib/definition/schedules/fire-times.ts'
import { parseCron } from '#lib/definition/schedules/parse-cron.ts'
import { firesWithin } from '#lib/definition/schedules/visit-fires.ts'
import { offsetAt, shiftsBetween } from '#lib/definition/schedules/zone-shifts.ts'
import { seeded } from '#tests/chaos/random.ts'

const day = 86_400_000
const hour = 3_600_000

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Havana',
  'Asia/Beirut',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Pacific/Apia',
]

const expressions = [
  '0 4 * * *',
  '30 2 * * *',
  '0 0 * * *',
  '59 23 * * *',
  '15 1,2,3 * * *',
  '0 */6 * * *',
  '*/20 0-3 * * *',
  '5 2-4/2 * * 7',
  '0 3 */2 * 1-5/2',
  '0 3 31 * *',
  '0 3 29 feb mon',
  '10 1 1,15 */3 *',
  '0 2 ? * sat-sun',
  '7 0 * * */2',
]

/** Two weeks around each change of a year, and the turn of the year. */
const spans = (zone: string): number[] => [
  ...shiftsBetween(zone, Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)).map(({ atMs }) => atMs),
  Date.UTC(2026, 11, 31),
]

describe.each(zones)('the fire times of a span in %s equal those found one by one', (zone) => {
  test.each(expressions)('%s', (text) => {
    const reading = parseCron(text)
    if ('fault' in reading) throw new Error(reading.fault)
    for (const middle of spans(zone)) {
      const [fromMs, untilMs] = [middle - 7 * day, middle + 7 * day]
      const expected = fireTimesBetween(reading.entry, { afterMs: fromMs - 1, untilMs, limit: 10_000 }, zone)
      expect(firesWithin(reading.entry, { fromMs, untilMs }, zone)).toEqual(expected)
    }
  })
})

test('a span may begin and end anywhere in a day on which the clock is changed', () => {
  const entry = { expression: '*/15 1-3 * * *', zone: 'Europe/Berlin' }
  const change = Date.UTC(2026, 9, 25, 1)
  for (let at = change - 5 * hour; at < change + 5 * hour; at += 17 * 60_000) {
    const untilMs = at + 3 * hour
    const expected = fireTimesBetween(entry, { afterMs: at - 1, untilMs, limit: 1_000 }, 'UTC')
    expect(firesWithin(entry, { fromMs: at, untilMs }, 'UTC')).toEqual(expected)
  }
})

test('the clock changes of a year are found with their sizes', () => {
  const of = (zone: string) =>
    shiftsBetween(zone, Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)).map(
      ({ atMs, beforeMs, afterMs }) => `${new Date(atMs).toISOString()} ${(afterMs - beforeMs) / 60_000}`,
    )
  expect(of('Europe/Berlin')).toEqual(['2026-03-29T01:00:00.000Z 60', '2026-10-25T01:00:00.000Z -60'])
  expect(of('America/New_York')).toEqual(['2026-03-08T07:00:00.000Z 60', '2026-11-01T06:00:00.000Z -60'])
  expect(of('Australia/Lord_Howe')).toEqual(['2026-04-04T15:00:00.000Z -30', '2026-10-03T15:30:00.000Z 30'])
  expect(of('UTC')).toEqual([])
  expect(offsetAt('Asia/Kathmandu', 0)).toBe(5.5 * hour)
})

test('the fire times of random expressions equal those found one by one', () => {
  const next = seeded(4)
  const pick = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const field = (low: number, high: number): string => {
    const [one, other] = [pick(low, high), pick(low, high)].toSorted((a, b) => a - b)
    return (
      ['*', `${one}`, `${one}-${other}`, `*/${pick(1, 5)}`, `${one}/${pick(1, 4)}`, `${one},${other}`][
        pick(0, 5)
      ] ?? '*'
    )
  }
  for (let count = 0; count < 60; count++) {
    const text = [`${pick(0, 59)}`, field(0, 23), field(1, 31), field(1, 12), field(0, 7)].join(' ')
    const reading = parseCron(text)
    if ('fault' in reading) throw new Error(reading.fault)
    const zone = zones[pick(0, zones.length - 1)] ?? 'UTC'
    const fromMs = Date.UTC(2026, pick(0, 11), pick(1, 28), pick(0, 23))
    const untilMs = fromMs + 9 * day
    const expected = fireTimesBetween(reading.entry, { afterMs: fromMs - 1, untilMs, limit: 10_000 }, zone)
    expect([text, zone, firesWithin(reading.entry, { fromMs, untilMs }, zone)]).toEqual([
      text,
      zone,
      expected,
    ])
  }
})
