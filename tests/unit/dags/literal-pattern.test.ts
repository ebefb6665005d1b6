import { expect, test } from 'vitest'
import { literalPattern } from '#lib/dags/literal-pattern.ts'

test('signs with a meaning in LIKE lose it', () => {
  expect(literalPattern('a%b_c\\d')).toBe('%a\\%b\\_c\\\\d%')
  expect(literalPattern('')).toBe('%%')
})
