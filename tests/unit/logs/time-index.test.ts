import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { noteTime, readTimes, type NotedTimes } from '#lib/logs/time-index.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-times-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the start time is noted with the second entry, and further times about once a second', () => {
  const path = join(folder, 'a.log')
  let known: NotedTimes | undefined
  for (const [start, at] of [
    [0, 0],
    [10, 400],
    [20, 900],
    [30, 1_100],
    [40, 1_900],
    [50, 2_200],
  ] as const) {
    known = noteTime(path, { start, feeds: start / 10, at }, known)
    if (start === 20) expect(readTimes(path)).toEqual([])
  }
  expect(readTimes(path)).toEqual([
    { start: 0, feeds: 0, at: 0 },
    { start: 30, feeds: 3, at: 1_100 },
    { start: 50, feeds: 5, at: 2_200 },
  ])
  appendFileSync(`${path}.times`, '\n60 6 33')
  expect(readTimes(path)).toHaveLength(3)
})

test('the log of a month has fewer than 15,000 notes', () => {
  const path = join(folder, 'b.log')
  let known: NotedTimes | undefined
  for (let minute = 0; minute < 43_200; minute++) {
    known = noteTime(path, { start: minute, feeds: minute, at: minute * 60_000 }, known)
  }
  expect(readTimes(path).length).toBeLessThan(15_000)
})

test('a log that another process began is continued', () => {
  const path = join(folder, 'c.log')
  noteTime(path, { start: 70, feeds: 7, at: 5_000 })
  expect(readTimes(path)).toEqual([{ start: 70, feeds: 7, at: 5_000 }])
})
