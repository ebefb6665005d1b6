import { describe, expect, test } from 'vitest'
import { counted, nothingSelected, press, pressAll } from '#web/model/selection.ts'

const order = ['a', 'b', 'c', 'd']
const after = (...presses: readonly (readonly [key: string, isRange?: boolean])[]) =>
  presses.reduce((all, [key, isRange = false]) => press(all, key, { order, isRange }), nothingSelected)
const keys = (selection: ReturnType<typeof after>) => [...selection.keys].toSorted().join('')

describe('rows are selected', () => {
  test('one by one, and deselected when pressed again', () => {
    expect(keys(after(['b'], ['d']))).toBe('bd')
    expect(keys(after(['b'], ['d'], ['b']))).toBe('d')
  })

  test('as a range from the row pressed before, in either direction', () => {
    expect(keys(after(['b'], ['d', true]))).toBe('bcd')
    expect(keys(after(['d'], ['a', true]))).toBe('abcd')
  })

  test('as a range that is cleared when the previous row was cleared', () => {
    expect(keys(after(['a'], ['d', true], ['b'], ['c', true]))).toBe('ad')
  })

  test('as a single row when no row was pressed before, or that row is gone', () => {
    expect(keys(after(['c', true]))).toBe('c')
    expect(keys(press({ keys: new Set(['x']), anchor: 'x' }, 'c', { order, isRange: true }))).toBe('cx')
  })

  test('all at once, and none when all are', () => {
    expect(keys(pressAll(after(['b']), order))).toBe('abcd')
    expect(keys(pressAll(pressAll(nothingSelected, order), order))).toBe('')
  })
})

test('counts are shown with their noun', () => {
  expect([counted(1, 'run'), counted(14, 'run'), counted(0, 'DAG')]).toEqual(['1 run', '14 runs', '0 DAGs'])
})
