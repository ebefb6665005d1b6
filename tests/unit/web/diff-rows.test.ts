import { describe, expect, test } from 'vitest'
import { cpuTime } from '#tests/support/cpu-time.ts'
import { diffTexts } from '#web/parts/diff-view/diff-rows.ts'

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index + 1}`)
const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`

describe('diffTexts', () => {
  test('shows three equal lines around a change, and counts those left out', () => {
    const lines = numbered(20)
    const diff = diffTexts(text(lines), text(lines.with(9, 'changed')))
    expect(diff?.rows).toEqual([
      { kind: 'gap', count: 6 },
      { kind: 'same', before: 7, after: 7, text: 'line 7' },
      { kind: 'same', before: 8, after: 8, text: 'line 8' },
      { kind: 'same', before: 9, after: 9, text: 'line 9' },
      { kind: 'removed', before: 10, text: 'line 10' },
      { kind: 'added', after: 10, text: 'changed' },
      { kind: 'same', before: 11, after: 11, text: 'line 11' },
      { kind: 'same', before: 12, after: 12, text: 'line 12' },
      { kind: 'same', before: 13, after: 13, text: 'line 13' },
      { kind: 'gap', count: 7 },
    ])
    expect(diff).toMatchObject({ added: 1, removed: 1 })
  })

  test('numbers the lines of both texts after some were added', () => {
    const lines = numbered(30)
    const after = ['first', 'second', ...lines].toSpliced(25, 1)
    const rows = diffTexts(text(lines), text(after))?.rows ?? []
    expect(rows.filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'added', after: 1, text: 'first' },
      { kind: 'added', after: 2, text: 'second' },
      { kind: 'gap', count: 17 },
      { kind: 'removed', before: 24, text: 'line 24' },
      { kind: 'gap', count: 3 },
    ])
    expect(rows.find((row) => row.kind === 'same' && row.text === 'line 25')).toEqual({
      kind: 'same',
      before: 25,
      after: 26,
      text: 'line 25',
    })
  })

  test('gives no rows for equal texts, with or without a final line feed', () => {
    expect(diffTexts('a\nb\n', 'a\nb')).toEqual({ rows: [], added: 0, removed: 0 })
  })

  test('shows all lines as added when the first text is empty', () => {
    expect(diffTexts('', 'a\nb\n')).toEqual({
      rows: [
        { kind: 'added', after: 1, text: 'a' },
        { kind: 'added', after: 2, text: 'b' },
      ],
      added: 2,
      removed: 0,
    })
  })

  test('gives up when so many lines differ that the work would take minutes', () => {
    const other = numbered(10_000).map((line) => `other ${line}`)
    expect(diffTexts(text(numbered(10_000)), text(other))).toBeUndefined()
  })
  test('gives up after a second when a few repeated lines are reordered throughout', () => {
    const spent = cpuTime()
    expect(diffTexts('a\na\nb\nb\n'.repeat(35_000), 'a\nb\na\nb\n'.repeat(35_000))).toBeUndefined()
    expect(spent()).toBeLessThan(5_000)
  })
})
