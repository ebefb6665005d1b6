import { beforeEach, expect, test } from 'vitest'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'

const { db, open } = await testDatabase()

type Labels = Readonly<Record<string, string>>

beforeEach(async () => {
  await db.sql`delete from millrace.dag_run`
})

const add = (runId: string, labels: Labels, priority = 0) =>
  createRuns(db, [runRequest({ runId, labels, priority })])

async function claim(labels: Labels, count: number, on = db): Promise<string[]> {
  const runs = await claimRuns(on, { owner: 'a', labels, count, leaseMs: 30_000, known: {} })
  return runs.map(({ runId }) => runId)
}

/** Claims one run at a time, which shows the order. */
async function claimAll(labels: Labels): Promise<string[]> {
  const all: string[] = []
  for (let found = await claim(labels, 1); found.length > 0; found = await claim(labels, 1))
    all.push(...found)
  return all
}

const many: Labels = { a: '1', b: '2', c: '3', d: '4', e: '5', f: '6', g: '7', h: '8' }

test.each([
  ['without labels', {}, ['plain']],
  ['with a label', { pool: 'gpu' }, ['gpu', 'plain']],
  ['with another value', { pool: 'cpu' }, ['plain']],
  ['with both labels', { pool: 'gpu', zone: 'a' }, ['both', 'gpu', 'plain']],
  ['with many labels', { ...many, pool: 'gpu' }, ['gpu', 'many', 'plain']],
  ['with many labels and both', { ...many, pool: 'gpu', zone: 'a' }, ['both', 'gpu', 'many', 'plain']],
])('a runner %s claims the runs whose labels it has', async (_who, labels, expected) => {
  await add('plain', {})
  await add('gpu', { pool: 'gpu' })
  await add('both', { zone: 'a', pool: 'gpu' })
  await add('many', { h: '8', a: '1' })
  await add('else', { pool: 'gpu', zone: 'b' })
  expect((await claim(labels, 9)).toSorted()).toEqual(expected)
})

test.each([
  ['a few', { pool: 'gpu' }],
  ['many', { ...many, pool: 'gpu' }],
])('a runner with %s labels claims by priority, then the oldest run', async (_few, labels) => {
  await add('1', {})
  await add('2', { pool: 'gpu' })
  await add('3', {}, 5)
  await add('4', { pool: 'gpu' }, 5)
  await add('5', { pool: 'cpu' }, 9)
  await add('6', {})
  expect(await claimAll(labels)).toEqual(['3', '4', '1', '2', '6'])
})

test('only runs that another runner is claiming are skipped', async () => {
  for (let run = 1; run <= 6; run++) await add(String(run), run % 2 === 0 ? { pool: 'gpu' } : {})
  const other = open({ max: 1 })
  await other.sql.unsafe('begin')
  expect((await claim({ pool: 'gpu' }, 2, other)).toSorted()).toEqual(['1', '2'])
  expect((await claim({ pool: 'gpu' }, 3)).toSorted()).toEqual(['3', '4', '5'])
  await other.sql.unsafe('rollback')
  expect((await claim({ pool: 'gpu' }, 9)).toSorted()).toEqual(['1', '2', '6'])
})

test('labels may be too long for an index entry', async () => {
  const labels = { pool: 'x'.repeat(20_000) }
  await add('long', labels)
  expect(await claim({ pool: 'x' }, 1)).toEqual([])
  expect(await claim(labels, 1)).toEqual(['long'])
})
