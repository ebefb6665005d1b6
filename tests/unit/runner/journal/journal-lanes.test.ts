import { expect, test } from 'vitest'
import { JournalLanes } from '#lib/runner/journal/journal-lanes.ts'

interface Item {
  readonly runKey: string
  readonly token: string
  readonly steps: readonly { readonly name: string }[]
  readonly size: number
}

/** Lanes over a database that answers on request. */
function openLanes() {
  const written: string[] = []
  const open: (() => void)[] = []
  const write = (lane: string, items: readonly Item[]): Promise<{ lost: string[] }> => {
    const shown = items.map(({ runKey, steps }) => runKey + steps.map(({ name }) => name).join(''))
    written.push(`${lane}: ${shown.join(',')}`)
    return new Promise((resolve) => {
      open.push(() => resolve({ lost: [] }))
    })
  }
  const lanes = new JournalLanes<Item['steps'][number], Item>({
    write: (batch) => write('quick', batch),
    writeLarge: (item) => write('slow', [item]),
    isTransient: () => true,
    onFailure: () => undefined,
    weight: { of: ({ size }) => size, large: 10 },
  })
  const answer = async (): Promise<void> => {
    open.shift()?.()
    await new Promise(setImmediate)
  }
  const record = (runKey: string, name: string, size = 1) =>
    lanes.record({ runKey, token: '1', steps: [{ name }], size })
  return { lanes, written, answer, record }
}

test('a large entry does not hold up other runs', async () => {
  const { written, answer, record } = openLanes()
  const large = record('1', 'a', 50)
  await new Promise(setImmediate)
  const small = record('2', 'b')
  expect(written).toEqual(['slow: 1a', 'quick: 2b'])
  await answer()
  await answer()
  expect(await Promise.all([large, small])).toEqual(['recorded', 'recorded'])
})

test('the entries of a run stay in order', async () => {
  const { written, answer, record } = openLanes()
  const all = [record('1', 'a'), record('1', 'b', 50), record('1', 'c'), record('2', 'd')]
  await new Promise(setImmediate)
  expect(written).toEqual(['quick: 1a'])
  await answer()
  expect(written.slice(1)).toEqual(['quick: 2d', 'slow: 1b'])
  await answer()
  await answer()
  expect(written.slice(3)).toEqual(['slow: 1c'])
  await answer()
  expect(await Promise.all(all)).toEqual(['recorded', 'recorded', 'recorded', 'recorded'])
  void record('1', 'e')
  expect(written.at(-1)).toBe('quick: 1e')
  await answer()
})

test('a batch of several entries is no larger than one large entry', async () => {
  const { written, answer, record } = openLanes()
  const all = [record('1', 'a'), record('2', 'b', 6), record('3', 'c', 6), record('4', 'd', 1)]
  for (let round = 0; round < 3; round++) await answer()
  expect(written).toEqual(['quick: 1a', 'quick: 2b', 'quick: 3c,4d'])
  expect(await Promise.all(all)).toHaveLength(4)
})

test('a waiting entry of a lost run is reported as lost', async () => {
  const { lanes, answer, record } = openLanes()
  const first = record('1', 'a', 50)
  await new Promise(setImmediate)
  const second = record('1', 'b', 50)
  await new Promise(setImmediate)
  lanes.forget('1')
  expect(await second).toBe('lost')
  await answer()
  expect(await first).toBe('recorded')
})
