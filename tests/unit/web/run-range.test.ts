import { expect, test } from 'vitest'
import { bucketsShown, fieldSeconds, fieldText, rangeBetween, readRange } from '#web/model/run-range.ts'

const now = Date.parse('2026-11-22T12:00:01Z')
const second = now / 1000 - 1

test('the bars show the last day by default, and the list is unlimited', () => {
  const range = readRange({}, now)
  expect(range).toMatchObject({ to: second + 900, from: second + 900 - 86_400, listed: {}, preset: '' })
  expect(readRange({ from: '20', to: '10' }, now)).toEqual(range)
  expect(readRange({ last: 'ever' }, now)).toEqual(range)
})

test('a relative range moves with the clock, one bar at a time', () => {
  const range = readRange({ last: '1h' }, now)
  expect(range.to - range.from).toBe(3_600)
  expect(range.listed).toEqual({ fromDate: range.from })
  expect(readRange({ last: '1h' }, now + 1_000)).toEqual(range)
  expect(readRange({ last: '1h' }, now + 60_000).to).toBeGreaterThan(range.to)
})

test('an absolute range is fixed, and the list excludes its end', () => {
  expect(readRange({ from: '1000', to: '2000', last: '1h' }, now)).toEqual({
    from: 1_000,
    to: 2_000,
    listed: { fromDate: 1_000, toDate: 1_999 },
    preset: undefined,
  })
})

test('a press selects one bar, a drag several in either direction', () => {
  const range = { from: 0, to: bucketsShown * 10 }
  expect(rangeBetween(range, 0.5, 0.5)).toEqual({ from: 480, to: 490 })
  expect(rangeBetween(range, 0.75, 0.25)).toEqual({ from: 240, to: 730 })
  expect(rangeBetween(range, 1, 1)).toEqual({ from: 950, to: 960 })
  expect(rangeBetween({ from: 5, to: 7 }, 0.9, 0)).toEqual({ from: 5, to: 7 })
})

test('a time field shows the time of the browser, to the minute', () => {
  expect(fieldSeconds(fieldText(second))).toBe(second)
  expect(fieldSeconds('')).toBeUndefined()
})
