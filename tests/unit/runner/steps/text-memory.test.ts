import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import type { Step } from '#lib/definition/definition.ts'
import { reserveTextMemory, type TextMemory } from '#lib/runner/steps/text-memory.ts'
import type { PreparedStep } from '#lib/runner/steps/step-context.ts'

const signal = new AbortController().signal
const step = { env: [{ name: 'OWN' }] } as unknown as Step
const withText = (script: string): PreparedStep =>
  ({ commands: [], config: {}, env: { OTHER: 'x'.repeat(9_000_000) }, script }) as unknown as PreparedStep
const large = withText('x'.repeat(limits.largeStepLength + 1))

/** How many attempts hold their texts after one turn. */
async function held(memories: readonly TextMemory[], prepared: PreparedStep): Promise<number> {
  let count = 0
  for (const memory of memories) void memory.expanded(step, prepared).then(() => (count += 1))
  await setImmediate()
  return count
}
const enter = (runKey: string, count: number): Promise<TextMemory[]> =>
  Promise.all(Array.from({ length: count }, () => reserveTextMemory(runKey, signal)))

test('only a few attempts of a run hold large texts at the same time, any number hold small ones', async () => {
  const memories = await enter('1', limits.largeStepsPerRunMax + 2)
  expect(await held(memories, large)).toBe(limits.largeStepsPerRunMax)
  expect(await held(await enter('2', 1), large)).toBe(1)
  for (let turn = 0; turn < 5; turn++) expect(await held(await enter('1', 10), withText('x'))).toBe(10)
  for (const memory of memories) memory.release()
})

test('only a few attempts of a run expand their texts at the same time', async () => {
  const memories = await enter('3', limits.preparedPerRunMax)
  let isIn = false
  const next = reserveTextMemory('3', signal).then((memory) => {
    isIn = true
    return memory
  })
  await setImmediate()
  expect(isIn).toBe(false)
  memories[0]?.release()
  memories[0]?.release()
  await next
  const stopped = new AbortController()
  const late = reserveTextMemory('3', stopped.signal)
  stopped.abort('stopped')
  await expect(late).rejects.toThrow('stopped before its turn came')
})

test('an attempt that is stopped while it waits frees its slot', async () => {
  const holders = await enter('4', limits.largeStepsPerRunMax)
  await held(holders, large)
  const stop = new AbortController()
  const memory = await reserveTextMemory('4', stop.signal)
  const waiting = memory.expanded(step, large)
  stop.abort('stopped')
  await expect(waiting).rejects.toThrow('stopped before its turn came')
  memory.release()
  expect(await enter('4', limits.preparedPerRunMax)).toHaveLength(limits.preparedPerRunMax)
})
