import { afterEach, expect, test } from 'vitest'
import { createDag } from '#lib/dags/create-dag.ts'
import { deleteDag } from '#lib/dags/delete-dag.ts'
import { listVersions } from '#lib/dags/list-versions.ts'
import { rebaseDags } from '#lib/dags/rebase-dags.ts'
import { renameDag } from '#lib/dags/rename-dag.ts'
import { saveSpec } from '#lib/dags/save-spec.ts'
import { storeSpec } from '#lib/dag-folder/store-file.ts'
import { removeDefinitions } from '#lib/runs/retention/remove-definitions.ts'
import { testDatabase } from '#tests/support/database.ts'
import { until } from '#tests/support/until.ts'

const { db, open } = await testDatabase()
const zone = 'UTC'
const specOf = (word: string): string => `steps:\n  - command: echo ${word}\n`
const save = (fileName: string, word: string) =>
  saveSpec(db, { fileName, spec: specOf(word), version: undefined, zone })
const create = (fileName: string, word: string) => createDag(db, { fileName, spec: specOf(word), zone })
const kept = async (fileName: string): Promise<number[]> =>
  (await listVersions(db, { fileName, limit: 100 })).map(({ version }) => version)
const keep = (count: number) =>
  db.call('apply_settings', { MILLRACE_DAG_VERSIONS: String(count) }, null, 'test')
const clean = async (): Promise<void> => {
  while ((await removeDefinitions(db, { limit: 100 })) === 100) continue
}
const runOf = (fileName: string) => db.sql<{ version: number; id: string }[]>`
  select run_id as id, millrace.version_of(r) as version from millrace.dag_run r
  where file_name = ${fileName} order by run_key`

afterEach(async () => {
  expect(await db.sql`select * from millrace.check_invariants()`).toEqual([])
  await keep(100)
})

test('surplus versions stay only while a run has their text', async () => {
  await keep(2)
  await create('trimmed', 'one')
  await save('trimmed', 'two')
  await db.sql`select millrace.start_run('trimmed')`
  for (const word of ['three', 'four', 'five', 'six']) await save('trimmed', word)
  await clean()
  expect(await kept('trimmed')).toEqual([6, 5, 2])
  await db.sql`
    update millrace.dag_run set status = 'cancelled', ready_at = null, finished_at = now() where file_name = 'trimmed'`
  await db.sql`
    select millrace.remove_trees(array(select run_key from millrace.dag_run where file_name = 'trimmed'))`
  await clean()
  expect(await kept('trimmed')).toEqual([6, 5])
})

test('surplus versions are removed even if a newer version has the same text', async () => {
  await keep(1)
  await create('flip', 'on')
  for (const word of ['off', 'on', 'off', 'on']) await save('flip', word)
  await clean()
  expect(await kept('flip')).toEqual([5])
})

test('a lower number of versions applies from the next save on', async () => {
  await create('fewer', 'one')
  for (const word of ['two', 'three', 'four']) await save('fewer', word)
  await keep(2)
  await clean()
  expect(await kept('fewer')).toEqual([4, 3, 2, 1])
  await save('fewer', 'five')
  await clean()
  expect(await kept('fewer')).toEqual([5, 4])
})

test('the versions of a deleted DAG stay for 30 days, or longer if it is created again', async () => {
  for (const name of ['forgotten', 'again', 'fresh']) {
    await create(name, name)
    await deleteDag(db, name)
  }
  await create('again', 'again')
  await db.sql`
    update millrace.dag_version set saved_at = now() - interval '31 days' where file_name in ('forgotten', 'again')`
  expect(await db.call('expire_versions', 30, 100)).toBe(1)
  expect(await db.call('expire_versions', 30, 100)).toBe(0)
  await clean()
  await expect(kept('forgotten')).rejects.toThrow('not found')
  expect(await kept('again')).toEqual([3, 2, 1])
  expect(await kept('fresh')).toEqual([2, 1])
})

test('versions from the folder of DAGs and from the base configuration name their source', async () => {
  await storeSpec(db, { fileName: 'filed', spec: specOf('one') }, { zone })
  await storeSpec(db, { fileName: 'filed', spec: specOf('one') }, { zone })
  await rebaseDags(db, { zone, base: 'env: [{A: b}]\n' })
  await rebaseDags(db, { zone })
  expect(await listVersions(db, { fileName: 'filed', limit: 9 })).toMatchObject([
    { version: 3, change: 'saved', source: 'service' },
    { version: 2, change: 'saved', source: 'service' },
    { version: 1, change: 'created', source: 'folder' },
  ])
})

test('the author of a change applies only to its own statement', async () => {
  await createDag(db, { fileName: 'mine', zone, change: { source: 'cli', by: 'anna', message: 'mine' } })
  await save('mine', 'not hers')
  const [last] = await listVersions(db, { fileName: 'mine', limit: 1 })
  expect(last).toMatchObject({ version: 2, savedBy: null, source: 'service', message: null })
})

test('a run has the version of its DAG at its start, even after renames', async () => {
  await create('first', 'one')
  const start = (name: string) => db.sql`select millrace.start_run(${name})`
  await start('first')
  await save('first', 'two')
  await save('first', 'one')
  await start('first')
  await db.sql`
    update millrace.dag_run set status = 'cancelled', ready_at = null, finished_at = now() where file_name = 'first'`
  await renameDag(db, { fileName: 'first', newFileName: 'second' })
  await start('second')
  await create('first', 'one')
  expect((await runOf('first')).map(({ version }) => version)).toEqual([1, 3])
  expect((await runOf('second')).map(({ version }) => version)).toEqual([4])
})

test('changes of older processes that know no versions get versions too', async () => {
  await create('older', 'one')
  await db.sql`
    with kept as (insert into millrace.definition (hash, spec) values ('by-older', 'steps: []'))
    update millrace.dag set definition_hash = 'by-older', version = version + 1 where file_name = 'older'`
  await db.sql`update millrace.dag set version = version + 1, updated_at = now() where file_name = 'older'`
  expect(await kept('older')).toEqual([2, 1])
  await db.sql`delete from millrace.dag_version where file_name = 'older' and version = 2`
  await db.sql`delete from millrace.dag where file_name = 'older'`
  expect(await kept('older')).toEqual([3, 2, 1])
})

test('a DAG that is created while it is being deleted continues its versions', async () => {
  const [one, other] = [open({ max: 1 }), open({ max: 1 })]
  await create('meanwhile', 'one')
  await one.sql.unsafe('begin')
  await deleteDag(one, 'meanwhile')
  const [row] = await other.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const created = createDag(other, { fileName: 'meanwhile', spec: specOf('two'), zone })
  await until('the creation waits', async () => {
    const [now] = await db.sql<{ waits: boolean }[]>`
      select cardinality(pg_blocking_pids(${row?.pid ?? 0})) > 0 as waits`
    return now?.waits
  })
  await one.sql.unsafe('commit')
  expect(await created).toMatchObject({ version: 3 })
  expect(await kept('meanwhile')).toEqual([3, 2, 1])
})
