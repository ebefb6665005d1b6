import { expect, test } from 'vitest'
import { isAdrift, rowsInView, scrollTopAt, sheetTop } from '#web/model/rows-in-view.ts'

const short = { rows: 100, rowHeight: 18, viewHeight: 360 }
/** 60 million lines: a sheet of a thousand million pixels in a scroll area of four million. */
const long = { rows: 60_000_000, rowHeight: 18, viewHeight: 360 }

test('a short sheet shows the rows at its scroll position', () => {
  expect(rowsInView(short, 0)).toEqual({ space: 1_800, first: 0, count: 21, cut: 0 })
  expect(rowsInView(short, 27)).toEqual({ space: 1_800, first: 1, count: 21, cut: 9 })
  expect(rowsInView(short, 99_999)).toEqual({ space: 1_800, first: 80, count: 20, cut: 0 })
  expect(rowsInView({ ...short, rows: 0 }, 0).count).toBe(0)
})

test('a short sheet moves with its scroll area', () => {
  expect(sheetTop(short, { top: 0, scrollTop: 0 }, 700)).toBe(700)
  expect(scrollTopAt(short, 700)).toBe(700)
})

test('the last row of a long sheet can be reached, and small moves are by pixels', () => {
  const end = long.rows * long.rowHeight - long.viewHeight
  expect(sheetTop(long, { top: 0, scrollTop: 0 }, 4_000_000 - 360)).toBe(end)
  expect(rowsInView(long, end)).toMatchObject({ first: 59_999_980, count: 20 })
  const middle = { top: 500_000_004, scrollTop: scrollTopAt(long, 500_000_004) }
  expect(sheetTop(long, middle, middle.scrollTop + 36)).toBe(500_000_040)
  expect(sheetTop(long, middle, middle.scrollTop + 36 - 36)).toBe(500_000_004)
})

test('the thumb moves a long sheet in proportion', () => {
  const half = sheetTop(long, { top: 0, scrollTop: 0 }, (4_000_000 - 360) / 2)
  expect(Math.round(half / 18)).toBe(29_999_990)
})

test('near its ends, a long sheet moves with its scroll area, so that both ends are reached evenly', () => {
  const last = long.rows * long.rowHeight - long.viewHeight
  expect(scrollTopAt(long, 3_000)).toBe(3_000)
  expect(scrollTopAt(long, last - 3_000)).toBe(4_000_000 - 360 - 3_000)
})

test('long scrolling with pauses shows each row once', () => {
  let at = { top: 18_000, scrollTop: scrollTopAt(long, 18_000) }
  const firsts: number[] = []
  for (let turn = 0; turn < 30_000; turn++) {
    const scrollTop = Math.min(at.scrollTop + 108, 4_000_000 - 360)
    at = { top: sheetTop(long, at, scrollTop), scrollTop }
    firsts.push(rowsInView(long, at.top).first)
    if (turn % 20 === 0 && isAdrift(long, at)) at = { ...at, scrollTop: scrollTopAt(long, at.top) }
  }
  expect(firsts).toEqual(firsts.map((_, index) => 1_000 + 6 * (index + 1)))
})

test('dropping the thumb at a position always shows the same rows', () => {
  for (const scrollTop of [250_000, 1_234_567, 3_700_000]) {
    const top = sheetTop(long, { top: 0, scrollTop: 0 }, scrollTop)
    expect(scrollTopAt(long, top)).toBe(scrollTop)
    expect(sheetTop(long, { top: 9, scrollTop: 9 }, scrollTop)).toBe(top)
  }
})
