import { expect, test } from 'vitest'
import { literalPattern } from '#lib/dags/literal-pattern.ts'

test('wildcards of LIKE are escaped', () => {
  expect(literalPattern('a%b_c\\d')).toBe('%a\\%b\\_c\\\\d%')
  expect(literalPattern('')).toBe('%%')
})
