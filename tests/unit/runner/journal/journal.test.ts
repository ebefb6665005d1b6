import { describe, expect, test } from 'vitest'
import { Journal, type Entry } from '#lib/runner/journal/journal.ts'

interface Step {
  readonly name: string
  readonly status: string
}
type Item = Entry<Step> & { readonly finish?: string }
type Answer = { lost: string[] } | Error

/** A journal over a database that answers on request. */
function openTestJournal(): {
  journal: Journal<Step, Item>
  batches: Item[][]
  answer: (answer?: Answer) => Promise<void>
} {
  const batches: Item[][] = []
  const open: { resolve: (answer: { lost: string[] }) => void; reject: (error: Error) => void }[] = []
  const arrivals: (() => void)[] = []
  const journal = new Journal<Step, Item>({
    write: (batch) =>
      new Promise((resolve, reject) => {
        batches.push([...batch])
        open.push({ resolve, reject })
        for (const arrive of arrivals.splice(0)) arrive()
      }),
    isTransient: (error) => (error as Error).message === 'connection lost',
    onFailure: () => undefined,
    retryMs: { first: 0, max: 0 },
  })
  const answer = async (given: Answer = { lost: [] }): Promise<void> => {
    if (open.length === 0) {
      await new Promise<void>((resolve) => {
        arrivals.push(resolve)
      })
    }
    const next = open.shift()
    if (given instanceof Error) next?.reject(given)
    else next?.resolve(given)
    await new Promise(setImmediate)
  }
  return { journal, batches, answer }
}

function entry(runKey: string, status: string, given: Partial<Item> = {}): Item {
  return { runKey, token: '1', steps: [{ name: 'a', status }], ...given }
}

describe('the journal', () => {
  test('writes a single entry at once, and entries that arrive meanwhile together', async () => {
    const { journal, batches, answer } = openTestJournal()
    const first = journal.record(entry('1', 'running'))
    const others = [journal.record(entry('2', 'running')), journal.record(entry('3', 'running'))]
    expect(batches).toEqual([[entry('1', 'running')]])
    await answer()
    expect(await first).toBe('recorded')
    expect(batches[1]).toEqual([entry('2', 'running'), entry('3', 'running')])
    await answer()
    expect(await Promise.all(others)).toEqual(['recorded', 'recorded'])
  })

  test('never mixes two claims of a run: entries of the older one are reported as lost', async () => {
    const { journal, batches, answer } = openTestJournal()
    void journal.record(entry('1', 'running'))
    const old = journal.record({
      ...entry('2', 'running'),
      steps: [{ name: 'of the old', status: 'running' }],
    })
    const fresh = journal.record(entry('2', 'running', { token: '2' }))
    expect(await old).toBe('lost')
    await answer()
    expect(batches[1]).toEqual([entry('2', 'running', { token: '2' })])
    const newest = journal.record(entry('2', 'running', { token: '3' }))
    await answer(new Error('connection lost'))
    expect(await fresh).toBe('lost')
    await answer()
    expect(await newest).toBe('recorded')
    expect(batches[2]).toEqual([entry('2', 'running', { token: '3' })])
  })

  test('merges entries of one run: the latest state of a step wins, other fields are kept', async () => {
    const { journal, batches, answer } = openTestJournal()
    void journal.record(entry('1', 'running'))
    const later = [
      journal.record(entry('2', 'running', { run: { checked: true } })),
      journal.record(entry('2', 'success', { run: { error: 'x' } })),
      journal.record({
        runKey: '2',
        token: '1',
        steps: [{ name: 'b', status: 'running' }],
        finish: 'success',
      }),
    ]
    await answer()
    expect(batches[1]).toEqual([
      {
        runKey: '2',
        token: '1',
        steps: [
          { name: 'a', status: 'success' },
          { name: 'b', status: 'running' },
        ],
        run: { checked: true, error: 'x' },
        finish: 'success',
      },
    ])
    await answer()
    expect(await Promise.all(later)).toEqual(['recorded', 'recorded', 'recorded'])
  })

  test('reports an entry as lost when its token is no longer valid', async () => {
    const { journal, answer } = openTestJournal()
    const lost = journal.record(entry('1', 'running'))
    await answer({ lost: ['1'] })
    expect(await lost).toBe('lost')
  })

  test('retries after a lost connection, with the entries that arrived meanwhile', async () => {
    const { journal, batches, answer } = openTestJournal()
    const first = journal.record(entry('1', 'running'))
    const second = journal.record(entry('1', 'success'))
    await answer(new Error('connection lost'))
    await answer()
    expect(await Promise.all([first, second])).toEqual(['recorded', 'recorded'])
    expect(batches.at(-1)).toEqual([entry('1', 'success')])
  })

  test('fails only the entry that the database refuses', async () => {
    const { journal, answer } = openTestJournal()
    void journal.record(entry('0', 'running'))
    const bad = journal.record(entry('1', 'nonsense')).catch((error: Error) => error.message)
    const good = journal.record(entry('2', 'running'))
    await answer()
    await answer(new Error('violates check constraint'))
    await answer(new Error('violates check constraint'))
    await answer()
    expect(await bad).toBe('violates check constraint')
    expect(await good).toBe('recorded')
    const next = journal.record(entry('3', 'running'))
    await answer()
    expect(await next).toBe('recorded')
  })

  test('forgets the waiting entries of a lost run', async () => {
    const { journal, batches, answer } = openTestJournal()
    const first = journal.record(entry('1', 'running'))
    const waiting = journal.record(entry('2', 'running'))
    journal.forget('2')
    expect(await waiting).toBe('lost')
    await answer()
    expect(await first).toBe('recorded')
    await journal.settled('1')
    expect(batches).toHaveLength(1)
  })
})
