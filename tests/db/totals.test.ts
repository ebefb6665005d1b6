import { beforeEach, expect, test } from 'vitest'
import { deleteDag } from '#lib/dags/delete-dag.ts'
import { renameDag } from '#lib/dags/rename-dag.ts'
import { countByDag } from '#lib/runs/counts/count-by-dag.ts'
import { countState } from '#lib/runs/counts/count-state.ts'
import { foldEnds } from '#lib/runs/counts/fold-ends.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db, open } = api.database

beforeEach(async () => {
  await db.sql`truncate millrace.dag_run, millrace.run_end, millrace.run_total, millrace.dag_total cascade`
  await db.sql`delete from millrace.dag`
  await api.createDag('backup')
})

const fold = () => foldEnds(db, { limit: 1_000 })

async function totals(): Promise<[succeeded: number, failed: number, cancelled: number]> {
  await fold()
  const { succeeded, failed, cancelled } = await countState(db)
  return [succeeded, failed, cancelled]
}

async function ofDag(fileName: string) {
  await fold()
  return (await countByDag(db)).dags.find((dag) => dag.fileName === fileName)
}

async function retry(runId: string): Promise<void> {
  expect((await api.post(`/dag-runs/backup/${runId}/retry`, {})).status).toBe(200)
}

test('each end counts once, whatever the status of the run', async () => {
  await api.finish(await api.start('backup'), 'success')
  await api.finish(await api.start('backup'), 'partial_success')
  await api.finish(await api.start('backup'), 'failed')
  const stopped = await api.start('backup')
  await api.post(`/dag-runs/backup/${stopped}/stop`)
  expect(await totals()).toEqual([2, 1, 1])
  const [going, waiting] = [await api.enqueue('backup'), await api.enqueue('backup')]
  await api.get(`/dag-runs/backup/${waiting}/dequeue`)
  expect(await totals()).toEqual([2, 1, 2])
  await api.finish(going, 'success')
  await api.start('backup')
  expect(await totals()).toEqual([3, 1, 2])
})

test('a retry adds another end and removes none', async () => {
  const run = await api.start('backup')
  await api.finish(run, 'failed')
  expect(await totals()).toEqual([0, 1, 0])
  await retry(run)
  expect(await totals()).toEqual([0, 1, 0])
  await api.finish(run, 'failed')
  await retry(run)
  await api.finish(run, 'success')
  expect(await totals()).toEqual([1, 2, 0])
  expect(await ofDag('backup')).toMatchObject({ succeeded: 1, failed: 2, cancelled: 0 })
})

test('runs that are removed stay counted', async () => {
  await api.finish(await api.start('backup'), 'success')
  await fold()
  await api.finish(await api.start('backup'), 'success')
  await db.sql`select millrace.remove_trees(array(select run_key from millrace.dag_run))`
  expect(await db.sql`select 1 from millrace.dag_run`).toEqual([])
  expect(await totals()).toEqual([2, 0, 0])
})

test('child runs are not counted, and runs without a file count only in the total', async () => {
  const run = await api.start('backup')
  await api.startChild(run, { dagName: 'backup', runId: 'child', step: 'work' })
  await api.finish('child', 'failed')
  await api.finish(run, 'success')
  const spec = 'steps:\n  - {name: a, command: echo a}\n'
  await api.post('/dag-runs', { name: 'inline', dagRunId: 'inline', spec })
  await api.finish('inline', 'success')
  expect(await totals()).toEqual([2, 0, 0])
  const { dags } = await countByDag(db)
  expect(dags).toMatchObject([{ fileName: 'backup', succeeded: 1, failed: 0 }])
})

test('history that is inserted counts', async () => {
  await api.finish(await api.start('backup'), 'success')
  await db.sql`
    insert into millrace.dag_run (run_id, dag_name, file_name, definition_hash, trigger_type, status, finished_at)
    select 'imported', dag_name, file_name, definition_hash, 'api', 'failed', now() from millrace.dag_run`
  expect(await totals()).toEqual([1, 1, 0])
})

test('a DAG has the time of its last success and the duration of its last run', async () => {
  const never = await api.start('backup')
  await api.finish(never, 'failed')
  expect(await ofDag('backup')).toMatchObject({ lastSuccessAt: 0 })
  const run = await api.start('backup')
  await api.claim()
  await db.sql`update millrace.dag_run set started_at = started_at - interval '90 seconds' where run_id = ${run}`
  await api.finish(run, 'success')
  const after = await ofDag('backup')
  expect(Math.abs((after?.lastSuccessAt ?? 0) - Date.now() / 1000)).toBeLessThan(60)
  expect(Math.round(after?.lastDurationSeconds ?? 0)).toBeGreaterThanOrEqual(90)
  const [waiting] = [await api.enqueue('backup'), await api.enqueue('backup')]
  await api.post(`/dag-runs/backup/${waiting}/stop`)
  expect(await ofDag('backup')).toMatchObject({ ...after, cancelled: 1 })
})

test('totals follow a renamed DAG, and are removed with its file', async () => {
  await api.finish(await api.start('backup'), 'success')
  await fold()
  await renameDag(db, { fileName: 'backup', newFileName: 'nightly' })
  expect(await ofDag('nightly')).toMatchObject({ succeeded: 1 })
  const last = await api.start('nightly')
  await deleteDag(db, 'nightly')
  await api.finish(last, 'success')
  expect(await ofDag('nightly')).toBeUndefined()
  expect(await totals()).toEqual([2, 0, 0])
})

test('concurrent ends of runs of one DAG do not wait for each other or for the count', async () => {
  const runs = [await api.start('backup'), await api.start('backup'), await api.start('backup')]
  await api.claim()
  await api.finish(runs[0] ?? '', 'success')
  const [first, second] = [open({ max: 1 }), open({ max: 1 })]
  await first.sql.unsafe('begin')
  await first.sql`select millrace.fold_ends(10)`
  await first.sql`
    update millrace.dag_run set status = 'success', lease_owner = null, lease_until = null, finished_at = now()
    where run_id = ${runs[1] ?? ''}`
  await second.sql.unsafe(`set lock_timeout = '1ms'`)
  await second.sql`
    update millrace.dag_run set status = 'failed', lease_owner = null, lease_until = null, finished_at = now()
    where run_id = ${runs[2] ?? ''}`
  expect(await foldEnds(second, { limit: 10 })).toBe(0)
  await first.sql.unsafe('commit')
  expect(await totals()).toEqual([2, 1, 0])
})

test('DAGs beyond the limit of metrics are counted, and none replaces another', async () => {
  await db.sql`
    insert into millrace.dag (file_name, dag_name, definition_hash, summary)
    select 'a-' || n, 'a-' || n, definition_hash, summary from millrace.dag, generate_series(1, 1200) n`
  await api.finish(await api.start('backup'), 'success')
  await fold()
  await db.sql`
    insert into millrace.dag_total (file_name, succeeded, failed, cancelled)
    select file_name, 0, 0, 0 from millrace.dag where file_name like 'a-%'`
  const { dags, omitted } = await countByDag(db)
  expect([dags.length, omitted, dags[0]?.fileName]).toEqual([1_000, 201, 'backup'])
})

test('the invariants find an end that is not counted, or only counted for its DAG', async () => {
  await api.finish(await api.start('backup'), 'success')
  await fold()
  const broken = () => db.sql`select invariant, detail from millrace.check_invariants()`
  await db.sql`update millrace.run_total set runs = 0`
  expect(await broken()).toEqual([
    { invariant: 'every run that has ended is counted', detail: 'success' },
    { invariant: 'an end that is counted for a DAG is counted for all', detail: 'success' },
  ])
  await db.sql`update millrace.run_total set runs = 1`
  await db.sql`update millrace.dag_total set cancelled = 1`
  expect(await broken()).toEqual([
    { invariant: 'an end that is counted for a DAG is counted for all', detail: 'cancelled' },
  ])
  await db.sql`update millrace.dag_total set cancelled = 0`
})
