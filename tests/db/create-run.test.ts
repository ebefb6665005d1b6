import { expect, test } from 'vitest'
import { createRun } from '#lib/runs/start/create-run.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'

const { db } = await testDatabase()

async function transactionsOf(dagName: string): Promise<{ runs: number; transactions: number }> {
  const [row] = await db.sql<{ runs: number; transactions: number }[]>`
    select count(*)::int as runs, count(distinct xmin::text)::int as transactions
    from millrace.dag_run where dag_name = ${dagName}`
  return row ?? expect.fail('no row')
}

test('starts of the same moment share a transaction, and each has its own answer', async () => {
  const ids = Array.from({ length: 100 }, (_, n) => `run-${n % 80}`)
  const outcomes = await Promise.all(
    ids.map((runId) => createRun(db, runRequest({ dagName: 'many', runId }))),
  )
  const results = ids.map((id, n) => [id, outcomes[n]?.result])
  expect(results.filter(([, result]) => result === 'created')).toHaveLength(80)
  expect(results.filter(([, result]) => result === 'exists')).toHaveLength(20)
  expect(new Set(outcomes.map((outcome) => outcome?.runKey)).size).toBe(80)
  expect(await transactionsOf('many')).toEqual({ runs: 80, transactions: 2 })
})

test('a start that the database refuses fails alone', async () => {
  const ids = ['good-1', 'not an id', 'good-2', 'latest', 'good-3']
  const settled = await Promise.allSettled(
    ids.map((runId) => createRun(db, runRequest({ dagName: 'mixed', runId }))),
  )
  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect((await transactionsOf('mixed')).runs).toBe(3)
})

test('processes that start the same new DAGs in different orders do not deadlock', async () => {
  const requests = Array.from({ length: 60 }, (_, n) => ({ definitionHash: `new-${n}`, dagName: `new-${n}` }))
  const createAll = (order: readonly { definitionHash: string; dagName: string }[]) => {
    const own = { ...db }
    return order.map((request) => createRun(own, runRequest(request)))
  }
  const outcomes = await Promise.all([
    ...createAll(requests),
    ...createAll(requests.toReversed()),
    ...createAll(requests.toSorted((a, b) => a.dagName.localeCompare(b.dagName))),
  ])
  expect(outcomes.every((outcome) => outcome?.result === 'created')).toBe(true)
})

test('a broken connection fails the starts that wait for it, and later starts succeed', async () => {
  const requests = Array.from({ length: 20 }, () => runRequest({ dagName: 'cut' }))
  const asked = Promise.allSettled(requests.map((request) => createRun(db, request)))
  await db.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like '%create_runs%' and pid <> pg_backend_pid()`
  const settled = await asked
  const made = (await transactionsOf('cut')).runs
  expect(settled.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(made)
  expect((await createRun(db, runRequest({ dagName: 'after' })))?.result).toBe('created')
})
