import { expect, test } from 'vitest'
import { aroundText } from '#web/model/spec-matches.ts'

test('a long line is cut to the text around the match', () => {
  expect(aroundText('command: echo a', 'echo')).toBe('command: echo a')
  const long = `${'w'.repeat(5_000)}Needle${'x'.repeat(5_000)}`
  expect(aroundText(long, 'needle')).toBe(`…${'w'.repeat(80)}Needle${'x'.repeat(314)}…`)
  expect(aroundText(`needle${long}`, 'needle')).toMatch(/^needlew+…$/)
  expect(aroundText(long.slice(0, 5_006), 'needle')).toMatch(/^…w+Needle$/)
})
