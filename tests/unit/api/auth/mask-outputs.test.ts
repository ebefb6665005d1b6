import { expect, test } from 'vitest'
import { maskBeginnings } from '#lib/api/auth/mask-outputs.ts'
import { limits } from '#lib/core/limits.ts'
import { readSpec } from '#lib/definition/read-spec.ts'
import type { StepRecord } from '#lib/runs/read/run-record.ts'

const { dag } = readSpec('env: [DB_PASSWORD: hunter2-secret]\nsteps: [echo a]\n', { fileName: 'file' })

/** What is shown of a step with this one output. */
function shown(name: string, value: string): string | undefined {
  const step = { name: 'a', outputs: { [name]: value } } as unknown as StepRecord
  return maskBeginnings(new Map([['a', step]]), dag).get('a')?.outputs?.[name]
}

test('the beginning of an output is shown without secrets, even one that is cut off at its end', () => {
  const most = limits.outputBeginningLengthMax
  expect(shown('TEXT', 'it is hunter2-secret, twice hunter2-secret')).toBe('it is *****, twice *****')
  expect(shown('API_TOKEN', 'anything')).toBe('*****')
  expect(shown('TEXT', 'ends with hunter2')).toBe('ends with hunter2')
  expect(shown('TEXT', 'x'.repeat(most - 7) + 'hunter2')).toBe(`${'x'.repeat(most - 7)}*****`)
  expect(shown('TEXT', 'x'.repeat(most))).toBe('x'.repeat(most))
})
