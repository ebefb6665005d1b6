import { expect, test } from 'vitest'
import { lineChanges } from '#local/cli/line-changes.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

test('comparing long texts of few distinct lines in a different order gives up in time', () => {
  const [before, after] = ['a\na\nb\nb\n', 'a\nb\na\nb\n'].map((lines) => lines.repeat(35_000))
  const spent = cpuTime()
  expect(lineChanges(['a', before ?? ''], ['b', after ?? ''], 0)).toBeUndefined()
  expect(spent()).toBeLessThan(6_000)
})
