import { expect, test } from 'vitest'
import { hasWords, readRunFilter } from '#web/model/run-filter.ts'

test.each([
  ['', {}, []],
  ['failed', { status: 2 }, []],
  ['failed dag:nightly', { status: 2, name: 'nightly' }, []],
  ['state:running, id:7f3a', { status: 1, dagRunId: '7f3a' }, []],
  ['Night schedule', {}, ['night', 'schedule']],
  ['dag: id:', {}, ['dag:', 'id:']],
])('%s', (text, query, words) => {
  expect(readRunFilter(text)).toEqual({ query, words })
})

test('a row fits when each word is in one of its texts', () => {
  expect(hasWords(['Nightly', '7f3a', 'schedule'], ['night', 'sched'])).toBe(true)
  expect(hasWords(['Nightly', '7f3a', 'api'], ['night', 'sched'])).toBe(false)
})
