import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ScheduleEntry } from '#lib/definition/definition.ts'
import { fireTimesBetween, nextFire, previousFire } from '#lib/definition/schedules/fire-times.ts'
import { canonicalExpression, parseCron } from '#lib/definition/schedules/parse-cron.ts'

const minute = 60_000
const day = 1_440 * minute

function entryOf(text: string): ScheduleEntry {
  const reading = parseCron(text)
  if ('fault' in reading) throw new Error(reading.fault)
  return reading.entry
}

function times(text: string, after: string, count: number, zone = 'UTC'): string[] {
  const span = { afterMs: Date.parse(after), untilMs: Infinity, limit: count }
  return fireTimesBetween(entryOf(text), span, zone).map((time) =>
    new Date(time).toISOString().replace(':00.000Z', 'Z'),
  )
}

describe('fire times', () => {
  it('are those after an instant, never the instant itself', () => {
    expect(times('*/20 * * * *', '2026-01-01T00:00:00Z', 3)).toEqual([
      '2026-01-01T00:20Z',
      '2026-01-01T00:40Z',
      '2026-01-01T01:00Z',
    ])
    expect(times('*/20 * * * *', '2025-12-31T23:59:59.999Z', 1)).toEqual(['2026-01-01T00:00Z'])
  })

  it('follow the zone of the entry, or else that of the service', () => {
    expect(times('0 6 * * *', '2026-01-01T00:00:00Z', 1, 'Asia/Tokyo')).toEqual(['2026-01-01T21:00Z'])
    expect(times('CRON_TZ=UTC 0 6 * * *', '2026-01-01T00:00:00Z', 1, 'Asia/Tokyo')).toEqual([
      '2026-01-01T06:00Z',
    ])
  })

  it('match either day field when both are restricted', () => {
    expect(times('0 0 13 * fri', '2026-02-01T00:00:00Z', 4)).toEqual([
      '2026-02-06T00:00Z',
      '2026-02-13T00:00Z',
      '2026-02-20T00:00Z',
      '2026-02-27T00:00Z',
    ])
    expect(times('0 0 * * fri', '2026-02-01T00:00:00Z', 1)).toEqual(['2026-02-06T00:00Z'])
    expect(times('0 0 29 2 *', '2026-02-01T00:00:00Z', 2)).toEqual(['2028-02-29T00:00Z', '2032-02-29T00:00Z'])
  })

  it('are the same for any number of schedules', () => {
    for (let count = 0; count < 1_100; count += 1) {
      const entry = { expression: `${count % 60} ${Math.floor(count / 60)} * * *`, zone: undefined }
      expect(nextFire(entry, -minute, 'UTC')).toBe(count * minute)
    }
  })

  it('are undefined for a date that never comes', () => {
    expect(nextFire(entryOf('0 0 30 2 *'), 0, 'UTC')).toBeUndefined()
    expect(previousFire(entryOf('0 0 30 2 *'), Date.parse('2026-01-01T00:00:00Z'), 'UTC')).toBeUndefined()
  })

  it('between two instants exclude the first, include the last, and respect the limit', () => {
    const span = { afterMs: 0, untilMs: 3 * minute, limit: 10 }
    expect(fireTimesBetween(entryOf('* * * * *'), span, 'UTC')).toEqual([minute, 2 * minute, 3 * minute])
    expect(fireTimesBetween(entryOf('* * * * *'), { ...span, limit: 2 }, 'UTC')).toEqual([minute, 2 * minute])
    expect(fireTimesBetween(entryOf('* * * * *'), { ...span, untilMs: 0 }, 'UTC')).toEqual([])
  })

  it('before an instant include one within the same second', () => {
    const at = Date.parse('2026-01-01T06:00:00Z')
    expect(previousFire(entryOf('0 6 * * *'), at + 1, 'UTC')).toBe(at)
    expect(previousFire(entryOf('0 6 * * *'), at + 500, 'UTC')).toBe(at)
    expect(previousFire(entryOf('0 6 * * *'), at, 'UTC')).toBe(at - day)
  })
})

describe('when clocks are put forward (Berlin, 29 March 2026, 2:00 becomes 3:00)', () => {
  const berlin = 'Europe/Berlin'

  it.each([
    [
      'a time of day that is skipped fires at the end of the gap',
      '30 2 * * *',
      ['2026-03-29T01:00Z', '2026-03-30T00:30Z'],
    ],
    [
      'a skipped time fires also as one of several',
      '30 2,14 * * *',
      ['2026-03-29T01:00Z', '2026-03-29T12:30Z'],
    ],
    ['two skipped times fire once', '0,30 2 * * *', ['2026-03-29T01:00Z', '2026-03-30T00:00Z']],
    [
      'a skipped time and the end of the gap fire once',
      '0 2,3 * * *',
      ['2026-03-29T01:00Z', '2026-03-30T00:00Z'],
    ],
    ['an interval does not fire in the gap', '*/30 2 * * *', ['2026-03-30T00:00Z', '2026-03-30T00:30Z']],
    ['an hourly interval continues', '30 * * * *', ['2026-03-29T00:30Z', '2026-03-29T01:30Z']],
  ])('%s', (_title, text, expected) => {
    expect(times(text, '2026-03-29T00:00:00Z', 2, berlin)).toEqual(expected)
  })
})

describe('when clocks are put back (Berlin, 25 October 2026, 3:00 becomes 2:00)', () => {
  it.each([
    [
      'a time of day that comes twice fires only the first time',
      '30 2 * * *',
      ['2026-10-25T00:30Z', '2026-10-26T01:30Z'],
    ],
    [
      'a repeated time fires once also as one of several',
      '30 2,14 * * *',
      ['2026-10-25T00:30Z', '2026-10-25T13:30Z'],
    ],
    ['an hourly interval fires in both hours', '30 * * * *', ['2026-10-25T00:30Z', '2026-10-25T01:30Z']],
    [
      'an interval within the repeated hour fires in both',
      '*/30 2 * * *',
      ['2026-10-25T00:00Z', '2026-10-25T00:30Z', '2026-10-25T01:00Z', '2026-10-25T01:30Z'],
    ],
  ])('%s', (_title, text, expected) => {
    expect(times(text, '2026-10-24T23:59:00Z', expected.length, 'Europe/Berlin')).toEqual(expected)
  })

  it('the previous fire time follows the same rules', () => {
    const before = (text: string, at: string): string =>
      new Date(previousFire(entryOf(text), Date.parse(at), 'Europe/Berlin') ?? 0).toISOString()
    expect(before('30 2 * * *', '2026-10-25T01:45:00Z')).toBe('2026-10-25T00:30:00.000Z')
    expect(before('*/30 2 * * *', '2026-10-25T01:45:00Z')).toBe('2026-10-25T01:30:00.000Z')
    expect(before('30 2 * * *', '2026-03-29T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
  })
})

/** Each minute of a span, and what the clocks of a zone show then, as if it were UTC. */
function clocks(fromMs: number, untilMs: number, zone: string): [number, number][] {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  const localOf = (at: number): number => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign = '+', hour = '0', part = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? []
    return at + (sign === '-' ? -1 : 1) * (Number(hour) * 60 + Number(part)) * minute
  }
  const count = Math.floor((untilMs - fromMs) / minute) + 1
  return Array.from({ length: count }, (_, index) => {
    const at = fromMs + index * minute
    return [at, localOf(at)]
  })
}

/**
 * The same rules in the plainest way: look at every minute. The first two days only provide what came
 * before.
 */
function oracle(text: string, shown: readonly [number, number][], fromMs: number): number[] {
  const expression = canonicalExpression(entryOf(text).expression) ?? ''
  const [minutes = '', hours = '', days = '', months = '', weekdays = ''] = expression.split(' ')
  const has = (field: string, value: number, first = 0): boolean =>
    field.split(',').some((item) => {
      const [range = '', step] = item.split('/')
      const [low, high] = range === '*' ? [first, 99] : range.split('-').map(Number)
      const from = low ?? 0
      const to = high ?? from
      return value >= from && value <= to && (step === undefined || (value - from) % Number(step) === 0)
    })
  const onDay = (date: Date): boolean => {
    const inDays = has(days, date.getUTCDate(), 1)
    const inWeek = has(weekdays, date.getUTCDay()) || (date.getUTCDay() === 0 && has(weekdays, 7))
    const both = days === '*' || weekdays === '*'
    return has(months, date.getUTCMonth() + 1, 1) && (both ? inDays && inWeek : inDays || inWeek)
  }
  const matches = (local: number): boolean => {
    const date = new Date(local)
    return has(minutes, date.getUTCMinutes()) && has(hours, date.getUTCHours()) && onDay(date)
  }
  const isRhythm = /[*/]/.test(minutes + hours)
  const fires = new Set<number>()
  const seen = new Set<number>()
  let last = shown[0]?.[1] ?? 0
  for (const [at, local] of shown.slice(1)) {
    for (let skipped = last + minute; skipped < local; skipped += minute) {
      if (!isRhythm && matches(skipped)) fires.add(at)
    }
    if (matches(local) && (isRhythm || !seen.has(local))) fires.add(at)
    seen.add(local)
    last = local
  }
  return [...fires].filter((at) => at > fromMs)
}

describe('against an oracle that looks at every minute', () => {
  const changes = [
    ['Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['Europe/Berlin', '2026-10-25T01:00:00Z'],
    ['America/New_York', '2026-11-01T06:00:00Z'],
    ['America/Sao_Paulo', '2018-11-04T03:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
    ['Asia/Kathmandu', '2026-02-28T18:15:00Z'],
    ['UTC', '2028-02-29T00:00:00Z'],
  ] as const
  const field = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts)
  const text = fc
    .tuple(
      field('0', '30', '*/15', '15,45', '*/7', '10-20/5', '*', '59'),
      field('*', '0', '1', '2', '1-3', '*/2', '2,14', '23', '0-6/3'),
      field('*', '*', '1', '29', '*/2', '28-31'),
      field('*', '*', '3,10', '*/2'),
      field('*', '*', 'sun', 'sat-sun', '1-5', '*/3'),
    )
    .map((fields) => fields.join(' '))

  it.each(changes)('the times around %s %s are the same', (zone, change) => {
    const fromMs = Date.parse(change) - 2 * day
    const untilMs = fromMs + 4 * day
    const shown = clocks(fromMs - 2 * day, untilMs, zone)
    fc.assert(
      fc.property(text, (expression) => {
        const wanted = oracle(expression, shown, fromMs)
        const entry = entryOf(expression)
        expect(fireTimesBetween(entry, { afterMs: fromMs, untilMs, limit: 1e6 }, zone)).toEqual(wanted)
        for (const [position, time] of wanted.slice(0, 40).entries()) {
          if (position > 0) expect(previousFire(entry, time, zone)).toBe(wanted[position - 1])
        }
      }),
      { numRuns: 25 },
    )
  })
})
