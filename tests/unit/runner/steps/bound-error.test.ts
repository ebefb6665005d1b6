import { expect, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { boundError } from '#lib/runner/steps/bound-error.ts'

test('an ordinary error stays unchanged', () => {
  expect(boundError('exit status 3')).toBe('exit status 3')
})

test('a long error is cut between characters, and says so', () => {
  const error = boundError('x' + '\u{1f331}'.repeat(limits.stepErrorLengthMax))
  expect(error).toMatch(/… \(\d+ characters more\)$/)
  expect(error.length).toBeLessThan(limits.stepErrorLengthMax + 40)
  expect(error.isWellFormed()).toBe(true)
})
