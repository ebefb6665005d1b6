import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { DeviceTurns } from '#lib/files/device-turns.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a device that never answers does not block other devices', async () => {
  const turns = new DeviceTurns()
  const never = turns.run(1, () => new Promise(() => {}))
  const behind = turns.run(1, () => Promise.resolve('not yet'))
  expect(await turns.run(2, () => Promise.resolve('other'))).toBe('other')
  const failures = Promise.allSettled([never, behind])
  await vi.advanceTimersByTimeAsync(limits.fileAnswerMsMax)
  for (const outcome of await failures) {
    expect(outcome).toMatchObject({ status: 'rejected' })
    expect(String((outcome as PromiseRejectedResult).reason)).toContain('has not answered for 10 s')
  }
})

test('the number of concurrent operations is limited across all devices', async () => {
  const turns = new DeviceTurns()
  let [busy, most] = [0, 0]
  const act = async (): Promise<void> => {
    most = Math.max(most, ++busy)
    await new Promise(setImmediate)
    busy -= 1
  }
  await Promise.all(Array.from({ length: 20 }, (_, device) => turns.run(device, act)))
  expect(most).toBe(limits.fileThreadsMax)
})

test('a failed operation does not block the next one of its device', async () => {
  const turns = new DeviceTurns()
  await expect(turns.run(1, () => Promise.reject(new Error('full')))).rejects.toThrow('full')
  expect(await turns.run(1, () => Promise.resolve('next'))).toBe('next')
})
