import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { maskInTurns } from '#lib/runner/log/mask-in-turns.ts'

test('a large text is masked in turns, even a secret that spans two pieces', async () => {
  const text = `${'é'.repeat(65_533)}hunter2${'x'.repeat(1_000_000)}hunter2`
  let turns = 0
  let isOver = false
  const masking = maskInTurns(text, ['hunter2']).finally(() => {
    isOver = true
  })
  for (; !isOver; turns++) await setImmediate()
  expect(await masking).toBe(text.replaceAll('hunter2', '*******'))
  expect(turns).toBeGreaterThan(6)
})

test('a text without secrets stays unchanged', async () => {
  expect(await maskInTurns('\uD800', [])).toBe('\uD800')
})
