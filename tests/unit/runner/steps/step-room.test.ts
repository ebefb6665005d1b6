import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import type { Step } from '#lib/definition/definition.ts'
import { enterRoom, type StepRoom } from '#lib/runner/steps/step-room.ts'
import type { PreparedStep } from '#lib/runner/steps/step-context.ts'

const signal = new AbortController().signal
const step = { env: [{ name: 'OWN' }] } as unknown as Step
const withText = (script: string): PreparedStep =>
  ({ commands: [], config: {}, env: { OTHER: 'x'.repeat(9_000_000) }, script }) as unknown as PreparedStep
const large = withText('x'.repeat(limits.largeStepLength + 1))

/** How many attempts hold their texts after one turn. */
async function held(rooms: readonly StepRoom[], prepared: PreparedStep): Promise<number> {
  let count = 0
  for (const room of rooms) void room.hold(step, prepared).then(() => (count += 1))
  await setImmediate()
  return count
}
const enter = (runKey: string, count: number): Promise<StepRoom[]> =>
  Promise.all(Array.from({ length: count }, () => enterRoom(runKey, signal)))

test('only a few attempts of a run hold large texts at the same time, any number hold small ones', async () => {
  const rooms = await enter('1', limits.largeStepsPerRunMax + 2)
  expect(await held(rooms, large)).toBe(limits.largeStepsPerRunMax)
  expect(await held(await enter('2', 1), large)).toBe(1)
  for (let turn = 0; turn < 5; turn++) expect(await held(await enter('1', 10), withText('x'))).toBe(10)
  for (const room of rooms) room.leave()
})

test('only a few attempts of a run expand their texts at the same time', async () => {
  const rooms = await enter('3', limits.preparedPerRunMax)
  let isIn = false
  const next = enterRoom('3', signal).then((room) => {
    isIn = true
    return room
  })
  await setImmediate()
  expect(isIn).toBe(false)
  rooms[0]?.leave()
  rooms[0]?.leave()
  await next
  const stopped = new AbortController()
  const late = enterRoom('3', stopped.signal)
  stopped.abort('stopped')
  await expect(late).rejects.toThrow('stopped before its turn came')
})

test('an attempt that is stopped while it waits frees its slot', async () => {
  const holders = await enter('4', limits.largeStepsPerRunMax)
  await held(holders, large)
  const stop = new AbortController()
  const room = await enterRoom('4', stop.signal)
  const waiting = room.hold(step, large)
  stop.abort('stopped')
  await expect(waiting).rejects.toThrow('stopped before its turn came')
  room.leave()
  expect(await enter('4', limits.preparedPerRunMax)).toHaveLength(limits.preparedPerRunMax)
})
