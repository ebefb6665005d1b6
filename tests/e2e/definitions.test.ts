import { expect, test } from 'vitest'
import { createDag } from '#lib/dags/create-dag.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { requestFor, runnerKit } from './runner-kit.ts'

const kit = await runnerKit()
kit.runner({ slots: 16 })

test('child DAGs with identical texts keep their own names', async () => {
  const spec = 'steps:\n  - command: echo same\n'
  for (const fileName of ['twin-a', 'twin-b']) await createDag(kit.db, { fileName, spec, zone: 'UTC' })
  const run = await kit.start(['type: chain', 'steps:', '  - call: twin-a', '  - call: twin-b'])
  expect((await kit.finished(run)).status).toBe('success')
  const children = await kit.db.sql<{ name: string }[]>`
    select dag_name as name from millrace.dag_run where parent_key = ${run} order by run_key`
  expect(children.map(({ name }) => name)).toEqual(['twin-a', 'twin-b'])
})

test('a definition that is evicted from the cache between claim and run is read again', async () => {
  const large = (name: string): string => `steps:\n  - command: echo ${name}\n#${'x'.repeat(1_000_000)}\n`
  const known = large('known')
  expect((await kit.finished(await kit.start(known))).status).toBe('success')
  const others = Array.from({ length: 10 }, (_, index) => large(`other-${index}`))
  // One statement, so that one claim takes them all: the others evict the text that the claim omits for the last one.
  const made = await createRuns(
    kit.db,
    [...others, known].map((spec) => requestFor(spec, 'demo', {})),
  )
  for (const { runKey = '' } of made) {
    expect(await kit.finished(runKey)).toMatchObject({ status: 'success', error: '' })
  }
})
