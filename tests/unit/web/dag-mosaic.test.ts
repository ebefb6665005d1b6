import { expect, test } from 'vitest'
import { cellAt, columnsIn, mosaicPaths, mosaicText } from '#web/model/mosaic.ts'
import { windowRows, type Piece } from '#web/model/window-rows.ts'

const dags = Array.from({ length: 10 }, (_, n) => ({
  fileName: `d${n}`,
  ...(n < 8 && { status: n < 2 ? 2 : 4 }),
}))

test('the cells of a state are one path, and a point finds its DAG', () => {
  const paths = mosaicPaths(dags, 4)
  expect(paths.map(({ state, path }) => [state, path.split('M').length - 1])).toEqual([
    ['failed', 2],
    ['success', 6],
    ['never_ran', 2],
  ])
  expect(cellAt(dags, 4, 17, 33)?.fileName).toBe('d9')
  expect(cellAt(dags, 4, 65, 2)).toBeUndefined()
  expect(cellAt(dags, 4, 50, 40)).toBeUndefined()
  expect([columnsIn(0), columnsIn(160)]).toEqual([1, 10])
})

test('a mosaic in words names the failed DAGs first', () => {
  expect(mosaicText(dags)).toBe('10 DAGs: 2 failed, 6 succeeded, 2 never ran')
  expect(mosaicText(dags.slice(0, 1))).toBe('1 DAG: 1 failed')
})

const rowsOf = (pieces: readonly Piece[]) => pieces.flatMap((piece) => ('row' in piece ? [piece.row] : []))
const heightOf = (pieces: readonly Piece[], rowHeight: number) =>
  pieces.reduce((sum, piece) => sum + ('gap' in piece ? piece.gap : rowHeight), 0)
const long = { rows: 10_000, rowHeight: 50, viewHeight: 900 }

test('a short list is rendered whole, a long one with at most 60 rows that include those in view', () => {
  expect(rowsOf(windowRows({ rows: 60, rowHeight: 50, top: 0, viewHeight: 900 }))).toHaveLength(60)
  for (const top of [-400, 0, 49, 5_000, 123_456, 499_100, 9_999_999]) {
    const pieces = windowRows({ ...long, top, kept: 7_000 })
    const rows = rowsOf(pieces)
    expect(rows.length).toBeLessThanOrEqual(60)
    expect(heightOf(pieces, 50)).toBe(500_000)
    expect(rows).toContain(7_000)
    for (let y = Math.max(0, top); y < Math.min(top + 900, 500_000); y += 50) {
      expect(rows).toContain(Math.floor(y / 50))
    }
  }
})

test('a very tall view renders no more than 60 rows', () => {
  expect(rowsOf(windowRows({ ...long, viewHeight: 9_000, top: 0 }))).toHaveLength(59)
})
