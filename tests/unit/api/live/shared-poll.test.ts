import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSharedPoll } from '#lib/api/live/shared-poll.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function counted() {
  let reads = 0
  let tag = 'one'
  const poll = createSharedPoll(() => Date.now())
  const watch = () => {
    const seen: string[] = []
    const end = poll(
      'list',
      async () => {
        reads += 1
        if (tag === 'broken') throw new Error('away')
        return { tag }
      },
      { onState: (state) => seen.push(state.tag), onError: () => seen.push('failed') },
    )
    return { seen, end }
  }
  return { watch, reads: () => reads, set: (next: string) => (tag = next) }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('all watchers share the reads, and each gets what is new to it', async () => {
  const { watch, reads, set } = counted()
  const first = watch()
  await pass(0)
  const second = watch()
  expect([reads(), first.seen, second.seen]).toEqual([1, ['one'], ['one']])
  set('two')
  await pass(1_000)
  expect([reads(), first.seen, second.seen]).toEqual([2, ['one', 'two'], ['one', 'two']])
})

test('a later watcher gets the current state at once', async () => {
  const { watch, set } = counted()
  const first = watch()
  await pass(20_000)
  await pass(2_000)
  set('two')
  expect(watch().seen).toEqual([])
  await pass(0)
  expect(first.seen).toEqual(['one', 'two'])
})

test('an unchanged state is read every 5 s, and not at all when nobody watches', async () => {
  const { watch, reads } = counted()
  const [first, second] = [watch(), watch()]
  await pass(60_000)
  const before = reads()
  await pass(50_000)
  expect(reads() - before).toBe(10)
  first.end()
  await pass(5_000)
  expect(reads() - before).toBe(11)
  second.end()
  await pass(60_000)
  expect(reads() - before).toBe(11)
})

test('a failed read ends the watch, and the next watch starts afresh', async () => {
  const { watch, reads, set } = counted()
  const first = watch()
  await pass(0)
  set('broken')
  await pass(1_000)
  expect(first.seen).toEqual(['one', 'failed'])
  await pass(60_000)
  expect(reads()).toBe(2)
  set('three')
  const second = watch()
  await pass(0)
  expect(second.seen).toEqual(['three'])
})
