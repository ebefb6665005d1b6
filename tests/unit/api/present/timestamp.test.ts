import { expect, test } from 'vitest'
import { timestamp } from '#lib/api/present/timestamp.ts'

test('a time is written to the second, and nothing as nothing', () => {
  expect(timestamp(1_763_668_731_999)).toBe('2025-11-20T19:58:51Z')
  expect(timestamp(undefined)).toBe('')
})
