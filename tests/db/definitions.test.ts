import { afterEach, expect, test } from 'vitest'
import { createDag } from '#lib/dags/create-dag.ts'
import { definitionHash } from '#lib/dags/definition-hash.ts'
import { deleteDag } from '#lib/dags/delete-dag.ts'
import { saveSpec } from '#lib/dags/save-spec.ts'
import type { Database } from '#lib/db/client.ts'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import { createRuns, type CreateRunRequest } from '#lib/runs/start/create-runs.ts'
import { createDefinitionReader } from '#lib/runs/read/read-definition.ts'
import { readHistory } from '#lib/runs/read/read-history.ts'
import { removeDefinitions } from '#lib/runs/retention/remove-definitions.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { runTick } from '#lib/tick/run-tick.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'
import { until } from '#tests/support/until.ts'

const { db, open } = await testDatabase()
const [one, other] = [open({ max: 1 }), open({ max: 1 })]
const zone = 'UTC'

// A text that no DAG has any more is removed at once.
await db.sql`
  insert into millrace.setting (name, value, applied_by) values ('MILLRACE_DAG_VERSIONS', '1', 'test')`

afterEach(() => Promise.all([one, other].map((by) => by.sql.unsafe('rollback'))))

const specOf = (word: string): string => `steps:\n  - command: echo ${word}\n`
const hashOf = (word: string): string => definitionHash(specOf(word), undefined)

/** A start of a text that is not a file. */
const inline = (word: string): CreateRunRequest =>
  runRequest({ fileName: null, spec: specOf(word), definitionHash: hashOf(word) })

/** A start of a file by a process that remembers this text of it. */
const remembered = (fileName: string, word: string): CreateRunRequest =>
  runRequest({ fileName, dagName: fileName, queue: fileName, spec: null, definitionHash: hashOf(word) })

const isThere = async (word: string): Promise<boolean> =>
  (await db.sql`select from millrace.definition where hash = ${hashOf(word)}`).length === 1

const isNoted = async (word: string): Promise<boolean> =>
  (await db.sql`select from millrace.definition where hash = ${hashOf(word)} and gc_candidate`).length === 1

const look = (by: Database = db): Promise<number> => removeDefinitions(by, { limit: 100 })

async function create(request: CreateRunRequest, by = db): Promise<string> {
  const [outcome] = await createRuns(by, [request])
  expect(outcome?.result).toBe('created')
  return outcome?.runKey ?? ''
}

async function removeRun(runKey: string, by = db): Promise<void> {
  const [row] = await by.sql<
    { keys: string[] }[]
  >`select millrace.remove_trees(array[${runKey}::bigint]) as keys`
  expect(row?.keys).toEqual([runKey])
}

const begin = (by: Database) => by.sql.unsafe('begin')
const commit = (by: Database) => by.sql.unsafe('commit')

/** Starts work that has to wait for a transaction of another client. */
async function waiting<T>(by: Database, work: () => Promise<T>): Promise<{ readonly done: Promise<T> }> {
  const [row] = await by.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const done = work()
  await until('it waits', async () => {
    const [now] = await db.sql<{ waits: boolean }[]>`
      select cardinality(pg_blocking_pids(${row?.pid ?? 0})) > 0 as waits`
    return now?.waits
  })
  return { done }
}

test('a text stays as long as a DAG or run refers to it, and the next tick removes it', async () => {
  const log = createLog({ level: 'silent', part: 'tick' })
  const logs = createFileLogStore('/nowhere')
  const tick = () => runTick({ db, log, logs, definitions: createDefinitionReader(), leaseMs: 30_000, zone })
  await createDag(db, { fileName: 'life', spec: specOf('first'), zone })
  const runKey = await create(remembered('life', 'first'))
  await saveSpec(db, { fileName: 'life', spec: specOf('second'), version: undefined, zone })
  await saveSpec(db, { fileName: 'life', spec: specOf('third'), version: undefined, zone })
  await tick()
  expect(await Promise.all(['first', 'second', 'third'].map(isThere))).toEqual([true, false, true])
  await db.sql`update millrace.dag_run set status = 'cancelled', ready_at = null, finished_at = now()`
  await db.sql.unsafe(`
    alter table millrace.dag_run disable trigger dag_run_transition;
    update millrace.dag_run set expires_at = now() - interval '1 day' where run_key = ${runKey};
    alter table millrace.dag_run enable trigger dag_run_transition;`)
  await tick()
  expect(await Promise.all(['first', 'third'].map(isThere))).toEqual([false, true])
  await deleteDag(db, 'life')
  await tick()
  expect(await isThere('third')).toBe(true)
  await db.sql`update millrace.dag_version set saved_at = now() - interval '30 days' where change = 'deleted'`
  await tick()
  expect(await isThere('third')).toBe(false)
})

test('a text that was examined is not examined again until it loses a reference', async () => {
  const [kept, gone] = [await create(inline('twice')), await create(inline('twice'))]
  expect(await look()).toBe(1)
  expect(await look()).toBe(0)
  await removeRun(gone)
  expect(await look()).toBe(1)
  expect(await isThere('twice')).toBe(true)
  await removeRun(kept)
  expect(await look()).toBe(1)
  expect(await isThere('twice')).toBe(false)
})

test('a run that is being created keeps its text, and blocks no removal', async () => {
  await removeRun(await create(inline('meanwhile')))
  await begin(one)
  const runKey = await create(inline('meanwhile'), one)
  await look(other)
  await commit(one)
  expect(await isThere('meanwhile')).toBe(true)
  await removeRun(runKey)
  await look()
  expect(await isThere('meanwhile')).toBe(false)
})

test('a run that is created while its text is being removed waits, and stores it again', async () => {
  for (const end of ['commit', 'rollback']) {
    await removeRun(await create(inline('again')))
    await begin(one)
    await look(one)
    const { done } = await waiting(other, () => create(inline('again'), other))
    await one.sql.unsafe(end)
    const runKey = await done
    expect(await isThere('again')).toBe(true)
    await removeRun(runKey)
  }
  await look()
})

test('a start with an outdated text is refused, even while the text is being removed', async () => {
  await createDag(db, { fileName: 'old', spec: specOf('old'), zone })
  await begin(one)
  await saveSpec(one, { fileName: 'old', spec: specOf('new'), version: undefined, zone })
  await look(one)
  const { done } = await waiting(other, () => createRuns(other, [remembered('old', 'old')]))
  await commit(one)
  expect(await done).toEqual([{ result: 'changed' }])
  expect(await isThere('old')).toBe(false)
})

test('a start from SQL of a file that changes meanwhile runs its new text', async () => {
  await createDag(db, { fileName: 'by-sql', spec: specOf('sql before'), zone })
  await begin(one)
  await saveSpec(one, { fileName: 'by-sql', spec: specOf('sql after'), version: undefined, zone })
  await look(one)
  const { done } = await waiting(other, async () => await other.sql`select millrace.start_run('by-sql')`)
  await commit(one)
  await done
  const made = await db.sql`
    delete from millrace.dag_run where dag_name = 'by-sql' returning definition_hash as hash`
  expect(made).toEqual([{ hash: hashOf('sql after') }])
})

test('a run cannot lose its text between the check and the insert', async () => {
  const pause = 'perform pg_advisory_xact_lock(1); return new;'
  await db.sql.unsafe(`
    create function public.pause() returns trigger language plpgsql as $$ begin ${pause} end $$;
    create trigger pause before insert on millrace.dag_run for each row execute function public.pause()`)
  await createDag(db, { fileName: 'held', spec: specOf('held no more'), zone })
  for (const start of [inline('held inline'), remembered('held', 'held')]) {
    await saveSpec(db, { fileName: 'held', spec: specOf('held'), version: undefined, zone })
    await begin(one)
    await one.sql`select pg_advisory_xact_lock(1)`
    const { done } = await waiting(other, () => create(start, other))
    await saveSpec(db, { fileName: 'held', spec: specOf('held no more'), version: undefined, zone })
    await look()
    await commit(one)
    await removeRun(await done)
  }
  await db.sql.unsafe('drop function public.pause() cascade')
  await look()
  expect(await Promise.all(['held inline', 'held'].map(isThere))).toEqual([false, false])
})

test('a DAG that is saved with a text that is being removed waits, and has the text', async () => {
  await createDag(db, { fileName: 'back', spec: specOf('there'), zone })
  for (const there of ['back again', 'fresh']) {
    await removeRun(await create(inline(there)))
    await begin(one)
    await look(one)
    const { done } = await waiting<unknown>(other, () =>
      there === 'fresh'
        ? createDag(other, { fileName: 'fresh', spec: specOf(there), zone })
        : saveSpec(other, { fileName: 'back', spec: specOf(there), version: undefined, zone }),
    )
    await commit(one)
    await done
    expect(await isThere(there)).toBe(true)
  }
  await Promise.all([deleteDag(db, 'back'), deleteDag(db, 'fresh')])
  await look()
})

test('a reference that is lost while its text is examined is noted, in either order', async () => {
  const first = await create(inline('noted'))
  await begin(one)
  expect(await look(one)).toBeGreaterThan(0)
  const { done } = await waiting(other, () => removeRun(first, other))
  await commit(one)
  await done
  expect(await isNoted('noted')).toBe(true)

  const second = await create(inline('noted'))
  await begin(one)
  await removeRun(second, one)
  expect(await look(other)).toBe(0)
  await commit(one)
  expect(await isNoted('noted')).toBe(true)
  await look()
  expect(await isThere('noted')).toBe(false)
})

test('concurrent starts, ends and removals neither fail nor leave texts behind', async () => {
  const clients = Array.from({ length: 4 }, () => open({ max: 1 }))
  let working = clients.length
  const user = async (by: Database, n: number): Promise<void> => {
    try {
      for (let round = 0; round < 60; round++)
        await removeRun(await create(inline(`busy ${(round + n) % 3}`), by), by)
    } finally {
      working -= 1
    }
  }
  const looker = async (by: Database): Promise<void> => {
    while (working > 0) await look(by)
  }
  await Promise.all([...clients.map(user), looker(one), looker(other)])
  await look()
  expect(await Promise.all([0, 1, 2].map((n) => isThere(`busy ${n}`)))).toEqual([false, false, false])
})

test('a history that loses a run while it is being read shows the others', async () => {
  const [gone, kept] = [inline('history gone'), inline('history kept')]
  const goneKey = await create(gone)
  const keptKey = await create(kept)
  await begin(one)
  await one.sql`lock table millrace.dag_run_step in access exclusive mode`
  const { done } = await waiting(other, () =>
    readHistory(other, createDefinitionReader(), { dagName: gone.dagName }, { limit: 30 }),
  )
  await removeRun(goneKey, one)
  await look(one)
  await commit(one)
  expect((await done).runs.map(({ run }) => run.runKey)).toEqual([keptKey])
  await removeRun(keptKey)
})
