import { describe, expect, test } from 'vitest'
import { agendaDays, changeText, firstMoments, frequentDags, startsOf } from '#web/model/agenda.ts'
import { cronWords } from '#web/model/cron-words.ts'
import { dayText, daysFrom, localTime } from '#web/model/local-time.ts'
import { comparedText, hoursNamed, slowText } from '#web/model/overview-text.ts'
import { scheduleRange, viewNamed } from '#web/model/schedule-view.ts'
import { heatRows, shadeOf, weekOf } from '#web/model/start-hours.ts'

const fire = (at: string, fileName = 'a', more: object = {}) => ({ at, fileName, kind: 'start', ...more })

describe('the agenda', () => {
  const local = localTime('Europe/Berlin')
  const fires = [
    fire('2026-03-28T22:30:00Z'),
    fire('2026-03-28T22:30:00Z', 'b'),
    fire('2026-03-28T23:30:00Z'),
    fire('2026-03-29T01:00:00Z'),
  ]
  const changes = [{ at: '2026-03-29T01:00:00Z', zone: 'Europe/Berlin', minutes: 60 }]

  test('days and times are in the zone of the reader', () => {
    const days = agendaDays(fires, changes, local)
    expect(
      days.map(({ day, moments }) => [day, moments.map(({ at }) => local.time(Date.parse(at)))]),
    ).toEqual([
      ['2026-03-28', ['23:30']],
      ['2026-03-29', ['00:30', '03:00']],
    ])
    expect(startsOf(days[0]?.moments[0]?.fires ?? [])).toBe(2)
    expect(days[1]?.moments.map((moment) => moment.changes.length)).toEqual([0, 1])
    expect(firstMoments(days, 2).flatMap(({ moments }) => moments)).toHaveLength(2)
  })

  test('a clock change is described in words', () => {
    expect(changeText(changes[0] ?? { at: '', zone: '', minutes: 0 }, local)).toBe(
      'the clock in Europe/Berlin goes forward 60 min at 03:00',
    )
    const lordHowe = { at: '2026-04-04T15:00:00Z', zone: 'Australia/Lord_Howe', minutes: -30 }
    expect(changeText(lordHowe, localTime('Australia/Lord_Howe'))).toMatch(/goes back 30 min at 01:30/)
  })

  test('stops and suspended DAGs count no starts, and hourly DAGs are found', () => {
    expect(startsOf([fire('x', 'a', { suspended: true }), { ...fire('x', 'b'), kind: 'stop' }])).toBe(0)
    const often = [0, 1, 2].map((hour) => fire(`2026-03-28T0${hour}:00:00Z`, 'often'))
    const seldom = [0, 2, 4].map((hour) => fire(`2026-03-28T0${hour}:30:00Z`, 'seldom'))
    expect([...frequentDags([...often, ...seldom, fire('2026-03-28T09:00:00Z', 'once')])]).toEqual(['often'])
  })
})

test.each([
  ['* * * * *', 'every minute'],
  ['*/5 * * * *', 'every 5 minutes'],
  ['0 * * * *', 'at minute 0 of every hour'],
  ['0 */4 * * *', 'every 4 hours'],
  ['5 */4 * * *', 'every 4 hours, at minute 5'],
  ['30 2 * * *', 'at 02:30'],
  ['0,30 9,17 * * *', 'at 09:00, 09:30, 17:00 and 17:30'],
  ['0 4 * * mon-fri', 'at 04:00 on Monday to Friday'],
  ['0 4 * * 1,3,7', 'at 04:00 on Monday, Wednesday and Sunday'],
  ['0 0 1 * *', 'at 00:00 on day 1 of the month'],
  ['0 0 1,15 jan *', 'at 00:00 on days 1 and 15 of the month in January'],
  ['0 0 13 * 5', 'at 00:00 on day 13 of the month or on Friday'],
  ['*/10 8-18 * * *', 'every 10 minutes in hours 8 to 18'],
  ['* 9 * * *', 'every minute in hour 9'],
])('%s is %s', (expression, words) => expect(cronWords(expression)).toBe(words))

describe('days and hours', () => {
  test('days continue across months, and have short names', () => {
    expect(daysFrom('2026-02-27', 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
    expect(dayText('2026-11-22')).toBe('Sun 22 Nov')
  })

  test('local times are right in half-hour zones and on the day of a clock change', () => {
    expect(localTime('Asia/Kathmandu').time(Date.UTC(2026, 0, 1, 0, 0))).toBe('05:45')
    const newYork = localTime('America/New_York')
    expect([6, 7].map((hour) => newYork.time(Date.UTC(2026, 2, 8, hour)))).toEqual(['01:00', '03:00'])
    expect([5, 6].map((hour) => newYork.hour(Date.UTC(2026, 10, 1, hour)))).toEqual([1, 1])
  })

  const hour = (day: string, at: number, starts: number) => ({ day, hour: at, starts, peak: 1, peakAt: '' })
  const hours = [hour('2026-11-22', 2, 3), hour('2026-11-28', 2, 4), hour('2026-11-29', 5, 1)]

  test('hours are found by day, and weeks add up their days', () => {
    const week = weekOf(hours, '2026-11-22')
    expect(week.days).toHaveLength(7)
    expect(week.at('2026-11-28', 2)?.starts).toBe(4)
    expect(week.at('2026-11-28', 3)).toBeUndefined()
    const rows = heatRows(hours, '2026-11-22', 2)
    expect(rows.map(({ day, starts }) => [day, starts[2], starts[5]])).toEqual([
      ['2026-11-22', 7, 0],
      ['2026-11-29', 0, 1],
    ])
  })

  test('shades range from zero to the maximum', () => {
    expect([0, 1, 25, 26, 100].map((count) => shadeOf(count, 100))).toEqual([0, 1, 1, 2, 4])
  })
})

describe('the range of a view', () => {
  const now = Date.UTC(2026, 10, 22, 12)
  test('begins now for the agenda, ends now for the past, and has a day on each side for a week', () => {
    const at = now / 1000
    expect(scheduleRange({ view: '' }, '2026-11-22', now).query).toEqual({ from: at, to: at + 7 * 86_400 })
    expect(scheduleRange({ view: 'past' }, '2026-11-22', now).query).toEqual({
      from: at - 2 * 86_400,
      to: at,
    })
    const week = scheduleRange({ view: 'week', from: '2026-12-01' }, '2026-11-22', now)
    expect(week.first).toBe('2026-12-01')
    expect(week.query.from).toBe(Date.UTC(2026, 10, 30) / 1000)
    expect(scheduleRange({ view: 'week', from: '2026-99-01' }, '2026-11-22', now).first).toBe('2026-11-22')
    expect([viewNamed('week'), viewNamed('x'), viewNamed(undefined)]).toEqual(['week', '', ''])
  })
})

test('the overview compares numbers in words', () => {
  expect([comparedText(5, 3), comparedText(3, 5), comparedText(3, 3)]).toEqual([
    '2 more than before',
    '2 fewer than before',
    'as many as before',
  ])
  expect([hoursNamed('168'), hoursNamed('5'), hoursNamed(undefined)]).toEqual([168, 24, 24])
  expect(slowText(500, 100)).toBe('5.0 times the usual')
  expect(slowText(105, 100)).toBe('slightly longer than usual')
  expect(slowText(50, 100)).toBeUndefined()
  expect(slowText(50, undefined)).toBeUndefined()
})
