import { expect, test } from 'vitest'
import { histogramText, piecesOf } from '#web/model/run-histogram.ts'

const buckets = [
  { at: 'a', counts: { success: 90, failed: 10 } },
  { at: 'b', counts: {} },
  { at: 'c', counts: { failed: 50 } },
  { at: 'd', counts: { success: 1_000, running: 1 } },
]

test('a bar is relative to the highest, with failures on top', () => {
  const pieces = piecesOf(buckets)
  expect(pieces.map(({ state }) => state)).toEqual(['success', 'failed', 'failed', 'success', 'running'])
  expect(pieces[0]).toMatchObject({ left: 0, width: 0.25 })
  expect(pieces[2]?.left).toBe(0.5)
  expect(Math.max(...pieces.map(({ height }) => height))).toBeCloseTo(1_000 / 1_001)
  expect(pieces.every(({ top, height }) => top >= 0 && top + height <= 1.000_001)).toBe(true)
})

test('a few failures among many successes stay visible', () => {
  expect(piecesOf(buckets)[1]?.height).toBeGreaterThanOrEqual(0.03)
})

test('the histogram is described in words', () => {
  expect(histogramText(buckets, (at) => `<${at}>`)).toBe(
    '1,151 runs: 1 running, 60 failed, 1,090 succeeded; most failures, 50, from <c>',
  )
  expect(histogramText([{ at: 'a', counts: { success: 1 } }], String)).toBe('1 run: 1 succeeded')
  expect(histogramText([{ at: 'a', counts: {} }], String)).toBe('no runs')
})
