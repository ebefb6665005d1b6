import { expect, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { FoundDags } from '#lib/dags/search-dags.ts'

const about = (name: string) => () => ({
  name,
  dag: { name, group: '', schedule: [], description: '', params: [], defaultParams: '', tags: [] },
})

test('large files that match everywhere do not exceed the size limit of an answer', () => {
  const line = `# ${'needle '.repeat(140)}\n`
  const spec = line.repeat(Math.floor(limits.specBytesMax / line.length))
  const found = new FoundDags('NEEDLE')
  let looked = 0
  while (!found.isFull) found.look(spec, about(`d${++looked}`))
  expect(looked).toBe(4)
  expect(JSON.stringify(found.all).length).toBeLessThan(1.1 * limits.searchAnswerLengthMax)
})

test('one file shows a limited number of matches', () => {
  const found = new FoundDags('a')
  found.look('a\n'.repeat(5_000), about('one'))
  expect(found.all[0]?.matches).toHaveLength(limits.searchMatchesMax)
  expect(found.isFull).toBe(false)
})
