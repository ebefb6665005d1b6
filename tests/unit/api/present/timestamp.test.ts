import { expect, test } from 'vitest'
import { timestamp } from '#lib/api/present/timestamp.ts'

test('a time is written without milliseconds, and a missing one as an empty text', () => {
  expect(timestamp(1_763_668_731_999)).toBe('2025-11-20T19:58:51Z')
  expect(timestamp(undefined)).toBe('')
})
