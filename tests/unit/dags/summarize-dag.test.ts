import { expect, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { storedSummary } from '#lib/dags/summarize-dag.ts'
import { readSpec } from '#lib/definition/read-spec.ts'

const summaryOf = (spec: string) => storedSummary(readSpec(spec, { fileName: 'large' }).dag)
const steps = 'steps: [{command: a}]\n'

test('a long description is cut, and the other fields are kept', () => {
  const summary = summaryOf(`description: "${'🥐'.repeat(100_000)}"\ntags: [daily]\nparams: A=1\n${steps}`)
  expect(summary).toMatchObject({ tags: ['daily'], params: ['A'], defaultParams: 'A="1"' })
  expect(summary.description).toBe(`${'🥐'.repeat(limits.summaryDescriptionLength / 2)}…`)
})

test.each([
  ['params', `params: [{A: "${'a'.repeat(100_000)}"}]\n`],
  ['tags', `tags: [${Array.from({ length: 20_000 }, (_, n) => `tag${n}`).join(', ')}]\n`],
  ['schedules', `schedule: "${'0,'.repeat(50_000)}0 * * * *"\n`],
])('a DAG with many or long %s stays within the size limit of a summary', (_what, field) => {
  const summary = summaryOf(`group: night\n${field}${steps}`)
  expect(JSON.stringify(summary).length).toBeLessThan(2 * limits.summaryLengthMax)
  expect(summary).toMatchObject({ name: 'large', group: 'night' })
})

test('an ordinary description is kept whole', () => {
  expect(summaryOf(`description: ${'d'.repeat(5_000)}\n${steps}`).description).toHaveLength(5_000)
})
