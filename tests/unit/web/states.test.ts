import { expect, test } from 'vitest'
import { hasEnded, runState, stateCodeOf, stateWord, stepState } from '#web/model/states.ts'

test('status codes of the API are shown as words', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map((code) => stateWord(runState(code)))).toEqual([
    'waiting',
    'running',
    'failed',
    'cancelled',
    'succeeded',
    'queued',
    'partly succeeded',
  ])
  expect([5, 6].map((code) => stateWord(stepState(code)))).toEqual(['skipped', 'partly succeeded'])
})

test('a typed word gives its status code in any case', () => {
  expect(['failed', 'Succeeded', 'queued', 'nightly'].map(stateCodeOf)).toEqual([2, 4, 5, undefined])
})

test('only final statuses have ended', () => {
  expect([0, 1, 5].map((code) => hasEnded(runState(code)))).toEqual([false, false, false])
  expect([2, 3, 4, 6].map((code) => hasEnded(runState(code)))).toEqual([true, true, true, true])
})
