import { expect, test } from 'vitest'
import { appended, mergedLinesKept, readMerged, type MergedLine } from '#web/model/merged-lines.ts'

const line = (number: number): MergedLine => ({
  at: number,
  step: 'a',
  stream: 'stdout',
  line: number,
  text: `line ${number}`,
})

test('a response holds lines, and the position of the next one', () => {
  const text = `${JSON.stringify(line(1))}\n${JSON.stringify(line(2))}\n{"done":false,"next":"1-2-3-4"}\n`
  expect(readMerged(text)).toEqual({ lines: [line(1), line(2)], isDone: false, next: '1-2-3-4' })
  expect(readMerged('{"done":true}\n')).toEqual({ lines: [], isDone: true, next: undefined })
})

test('only the last of many lines are kept', () => {
  const lines = appended(
    [line(0)],
    Array.from({ length: mergedLinesKept }, (_, index) => line(index + 1)),
  )
  expect(lines).toHaveLength(mergedLinesKept)
  expect([lines[0]?.line, lines.at(-1)?.line]).toEqual([1, mergedLinesKept])
  expect(appended(lines, [])).toBe(lines)
})

test('only the text after the last carriage return of a line is shown', () => {
  const { lines } = readMerged(`${JSON.stringify({ ...line(1), text: '10 %\r100 %\r' })}\n{"done":true}\n`)
  expect(lines.map(({ text }) => text)).toEqual(['100 %'])
})
