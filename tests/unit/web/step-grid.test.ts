import { expect, test } from 'vitest'
import { cellAfter, gridRows, rowsShown } from '#web/model/step-grid.ts'

const data = [
  { name: 'b', history: [2, 2, 4] },
  { name: 'a', history: [4, 4, 2] },
  { name: 'gone', history: [0, 2, 4] },
  { name: 'onExit', history: [1, 2, 2] },
]

test('steps are in the order of the file, the newest run last', () => {
  const rows = gridRows(data, ['a', 'b'])
  expect(rows.map(({ name }) => name)).toEqual(['a', 'b', 'gone', 'onExit'])
  expect(rows[1]?.states).toEqual(['success', 'failed', 'failed'])
})

test('failures in a row are counted, except runs in which the step did not start', () => {
  expect(gridRows(data, ['a', 'b']).map(({ failedRuns }) => failedRuns)).toEqual([0, 2, 1, 2])
})

test('only the steps that failed last are shown when there are too many', () => {
  const rows = gridRows(data, ['a', 'b'])
  expect(rowsShown(rows, 4)).toBe(rows)
  expect(rowsShown(rows, 2).map(({ name }) => name)).toEqual(['b', 'onExit'])
})

test.each([
  ['ArrowLeft', { row: 1, column: 0 }],
  ['ArrowRight', { row: 1, column: 2 }],
  ['ArrowUp', { row: 0, column: 1 }],
  ['ArrowDown', { row: 2, column: 1 }],
  ['Home', { row: 1, column: 0 }],
  ['End', { row: 1, column: 4 }],
  ['x', undefined],
])('%s moves through the grid', (key, expected) => {
  expect(cellAfter(key, { row: 1, column: 1 }, { rows: 3, columns: 5 })).toEqual(expected)
})

test('no key leaves the grid', () => {
  for (const key of ['ArrowLeft', 'ArrowUp']) {
    expect(cellAfter(key, { row: 0, column: 0 }, { rows: 1, columns: 1 })).toEqual({ row: 0, column: 0 })
  }
  for (const key of ['ArrowRight', 'ArrowDown']) {
    expect(cellAfter(key, { row: 2, column: 4 }, { rows: 3, columns: 5 })).toEqual({ row: 2, column: 4 })
  }
})
