import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
import { controlQueue } from '#lib/queues/control-queue.ts'
import { countQueues } from '#lib/queues/count-queues.ts'
import { promoteQueues } from '#lib/queues/promote-queues.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { createRuns, type CreateRunRequest } from '#lib/runs/start/create-runs.ts'
import { createDefinitionReader } from '#lib/runs/read/read-definition.ts'
import { removeDefinitions } from '#lib/runs/retention/remove-definitions.ts'
import { renewLeases } from '#lib/runs/claim/renew-leases.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { runTick } from '#lib/tick/run-tick.ts'
import { testApi } from '#tests/support/api.ts'
import { runRequest } from '#tests/support/run-request.ts'

/**
 * What the service reads when there are 1,000,000 runs of 10,000 DAGs and 10,000 schedules, by the counters of
 * PostgreSQL: no table that grows with the history is read from end to end, and what is read follows the answer.
 */
const api = await testApi({ isLarge: true })
const db = api.database.open({ max: 1 })
const { get, open } = api.with({ db })
const dags = 10_000
const runs = 1_000_000

beforeAll(async () => {
  await api.createDag('dag-0', 'steps:\n  - {name: work, command: echo 1}\n')
  await db.sql`
    insert into millrace.definition (hash, spec)
    select 'text-' || n, spec from generate_series(1, ${dags - 1}) n, millrace.definition`
  await db.sql`
    insert into millrace.dag
      (file_name, dag_name, definition_hash, summary, tags, group_name, problems, max_active_runs, step_names)
    select 'dag-' || n, 'dag-' || n, 'text-' || n, summary, case n when 7 then array['rare'] else tags end,
      case when n % 2 = 0 then 'half' else '' end, problems, max_active_runs, step_names
    from generate_series(1, ${dags - 1}) n, millrace.dag where file_name = 'dag-0'`
  await db.sql`
    insert into millrace.schedule (file_name, kind, place, expression, next_at)
    select file_name, 'start', place, '0 0 1 1 *', clock_timestamp() + interval '1 day'
    from millrace.dag, generate_series(0, 9) place where length(file_name) <= length('dag-999')`
  // Without triggers and foreign keys, which would be looked at for each row.
  await db.sql`set session_replication_role = replica`
  await db.sql`
    insert into millrace.dag_run (run_id, dag_name, file_name, definition_hash, trigger_type, status, finished_at,
      created_at, expires_at)
    select 'r' || n, 'dag-' || n % ${dags}, 'dag-' || n % ${dags}, definition_hash, 'api',
      case when n % 100 = 0 then 'failed' else 'success' end, clock_timestamp(),
      clock_timestamp() - n * interval '1 minute', clock_timestamp() + interval '30 days'
    from generate_series(1, ${runs}) n, millrace.dag where dag.file_name = 'dag-0'`
  await db.sql`
    insert into millrace.run_total (status, runs) select status, count(*) from millrace.dag_run group by status`
  await db.sql`
    insert into millrace.dag_total (file_name, succeeded, failed, cancelled)
    select file_name, 99, 1, 0 from millrace.dag where file_name <> 'dag-0'`
  await db.sql`
    insert into millrace.dag_run_step (run_key, name, place, status)
    select run_key, 'work', 0, 'success' from millrace.dag_run`
  await db.sql`reset session_replication_role`
  while ((await removeDefinitions(db, { limit: 1_000 })) === 1_000) continue
  await db.sql`vacuum analyze`
  for (let run = 1; run <= 20; run++) await api.enqueue(`dag-${run}`)
}, 240_000)

interface Reads {
  readonly sequential: number
  readonly byIndex: number
  /** Page accesses of tables and indexes. */
  readonly pages: number
}

/** Counters of the tables that grow with the history. A connection reports its own only when it is forced to. */
async function counters(): Promise<Reads> {
  await db.sql`select pg_stat_force_next_flush()`
  const [row] = await db.sql<Reads[]>`
    select sum(seq_tup_read)::int as sequential, sum(idx_tup_fetch)::int as "byIndex",
      sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as pages
    from pg_stat_user_tables join pg_statio_user_tables using (relid, schemaname, relname)
    where relname in ('dag_run', 'dag_run_step', 'definition', 'dag_version', 'schedule')`
  return row ?? expect.fail('no counters')
}

async function reads(work: () => Promise<unknown>): Promise<Reads> {
  const before = await counters()
  await work()
  const after = await counters()
  return {
    sequential: after.sequential - before.sequential,
    byIndex: after.byIndex - before.byIndex,
    pages: after.pages - before.pages,
  }
}

/** Bytes in use after a garbage collection. */
function usedHeap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

const day = 86_400
const log = createLog({ level: 'silent', part: 'tick' })
const tick = () =>
  runTick({
    db,
    log,
    logs: { removeRuns: () => Promise.resolve() } as never,
    definitions: createDefinitionReader(),
    leaseMs: 30_000,
    zone: 'UTC',
  })

/** Ten of the 10,000 entries are due, and start nothing: their DAGs are suspended. */
async function tickWithTenDue(): Promise<void> {
  await db.sql`update millrace.dag set suspended_at = now() where file_name like 'dag-99_'`
  await db.sql`
    update millrace.schedule set next_at = clock_timestamp() - interval '1 second'
    where place = 0 and kind = 'start' and file_name in ${db.sql(Array.from({ length: 10 }, (_, n) => `dag-99${n}`))}`
  await tick()
}

/** Ten runs have expired, and each is the last with its text. */
async function tickWithTenExpired(): Promise<void> {
  await db.sql`
    insert into millrace.definition (hash, spec, gc_candidate)
    select 'last-' || n, '', false from generate_series(0, 9) n`
  await db.sql.unsafe(`
    alter table millrace.dag_run disable trigger dag_run_transition;
    update millrace.dag_run
    set expires_at = now() - interval '1 hour', definition_hash = 'last-' || run_key % 10
    where run_key in (select run_key from millrace.dag_run where expires_at > now() order by expires_at limit 10);
    alter table millrace.dag_run enable trigger dag_run_transition;`)
  await tick()
  expect(await db.sql`select hash from millrace.definition where hash like 'last-%'`).toEqual([])
}

/** The text of a million runs is also that of 100 surplus versions. */
async function tickWithSurplusVersions(): Promise<void> {
  await db.sql`
    insert into millrace.dag_version (file_name, version, named, definition_hash, change, is_surplus)
    select 'long-gone', n, 'dag-0', definition_hash, 'saved', true
    from generate_series(1, 100) n, millrace.dag where dag.file_name = 'dag-0'
    on conflict do nothing`
  await db.sql`
    update millrace.definition set gc_candidate = true
    where hash = (select definition_hash from millrace.dag where file_name = 'dag-0')`
  await tick()
}

const claim = (labels: Readonly<Record<string, string>>) =>
  claimRuns(db, { owner: 'o', labels, count: 10, leaseMs: 60_000, known: {} })

const idsOf = async (part: string): Promise<string[]> => {
  const { body } = await get<{ dagRuns: { dagRunId: string }[] }>(`/dag-runs?dagRunId=${part}&limit=10`)
  return body.dagRuns.map(({ dagRunId }) => dagRunId)
}

/** Calls for the same hours within two seconds share an answer, so each call uses others. */
const periods = Array.from({ length: 24 }, (_, hour) => hour + 1).values()

/** A call, and how many rows it may read: a few times what it shows, whatever the size of the tables. */
const works: readonly (readonly [string, number, () => Promise<unknown>])[] = [
  ['GET /dags, a page of 50', 500, () => get('/dags?perPage=50')],
  ['GET /dags, a page of 50 with 20 runs each', 2_000, () => get('/dags?perPage=50&runs=20')],
  ['GET /dags by the next start', 1_500, () => get('/dags?perPage=50&sort=next')],
  ['GET /dags with words', 500, () => get('/dags?perPage=50&q=dag-99')],
  ['GET /dags by state: one run of each DAG', 22_000, () => get('/dags?perPage=50&runs=20&sort=state')],
  ['GET /dags by the last run', 22_000, () => get('/dags?perPage=50&runs=20&sort=last&order=desc')],
  ['GET /dags that have failed', 22_000, () => get('/dags?perPage=50&runs=20&state=failed')],
  ['GET /dags/counts: one run of each DAG', 21_000, () => get('/dags/counts')],
  ['GET /dag-states: one run of each DAG', 21_000, () => get('/dag-states')],
  ['GET /overview: the runs of two days', 5_000, () => get(`/overview?hours=${periods.next().value}`)],
  ['GET /schedule of a DAG', 100, () => get('/schedule?dag=dag-7')],
  ['GET /dags/{fileName} without the 100 runs of its history', 40, () => get('/dags/dag-7')],
  ['GET /dags/{fileName}/dag-runs with its grid', 300, () => get('/dags/dag-7/dag-runs')],
  ['GET /dags/{fileName}/dag-runs, a page of 50', 500, () => get('/dags/dag-7/dag-runs?limit=50&nodes=none')],
  ['GET /dags/{fileName}/stats', 700, () => get('/dags/dag-7/stats')],
  ['the newest runs', 400, () => get('/dag-runs?limit=100')],
  ['the newest runs of a DAG', 400, () => get('/dag-runs?name=dag-7&limit=100')],
  ['the newest failed runs', 400, () => get('/dag-runs?status=2&limit=100')],
  ['the newest runs of two states', 11_000, () => get('/dag-runs?status=2,6&limit=100')],
  ['active and queued runs: 20', 200, () => get('/dag-runs?status=0,1,5')],
  ['runs of a tag that one DAG has', 400, () => get('/dag-runs?tag=rare&limit=100')],
  ['runs of a group of half of the DAGs', 1_000, () => get('/dag-runs?group=half&limit=100')],
  ['runs of a runner: none', 200, () => get('/dag-runs?worker=nobody')],
  ['GET /search: DAGs, and ids of the newest 10,000 runs', 11_000, () => get('/search?q=dag-99')],
  ['GET /search: the newest runs', 200, () => get('/search')],
  ['GET /search: a step that all DAGs have', 11_000, () => get('/search?q=work')],
  ['GET /search: the beginning of ids that all runs have', 100, () => get('/search?q=r')],
  ['GET /search: the beginning of one id', 11_000, () => get('/search?q=r999999')],
  ['GET /search: an unknown id', 11_000, () => get('/search?q=nothing')],
  ['words that no run has', 210_000, () => get('/dag-runs?q=nothing&limit=100')],
  ['runs that took longer than any', 210_000, () => get('/dag-runs?minMs=900000000&limit=100')],
  [
    'the histogram of a day',
    6_000,
    async () => {
      const now = Math.floor(Date.now() / 1000)
      await get(`/dag-runs/histogram?from=${now - 11 * day}&to=${now - 10 * day}`)
    },
  ],
  ['running runs: none', 200, () => get('/dag-runs?status=1')],
  [
    'runs of a day',
    6_000,
    async () => {
      const now = Math.floor(Date.now() / 1000)
      await get(`/dag-runs?fromDate=${now - 11 * day}&toDate=${now - 10 * day}`)
    },
  ],
  [
    'a page in the middle',
    1_000,
    async () => {
      const cursor = Buffer.from(`${(Date.now() - 40 * day * 1000) * 1000}-1`).toString('base64url')
      await get(`/dag-runs?limit=100&cursor=${cursor}`)
    },
  ],
  ['the latest run of a DAG', 100, () => get('/dag-runs/dag-7/latest')],
  ['a run with its steps', 100, () => get('/dag-runs/dag-7/r7')],
  ['a failed run whose DAG has never succeeded', 500, () => get('/dag-runs/dag-100/r100')],
  ['why a run waits', 200, () => get('/dag-runs/dag-7/latest/why')],
  ['GET /queues', 300, () => get('/queues')],
  ['GET /queues with the starts of an hour: the runs of a day', 5_000, () => get('/queues?summary=true')],
  ['GET /queues/{name}', 5_000, () => get('/queues/dag-3')],
  ['waiting runs of a queue', 100, () => get('/queues/dag-3/items')],
  [
    'a pause and a resumption',
    200,
    async () => {
      await controlQueue(db, 'dag-3', { paused: true, by: '' })
      await controlQueue(db, 'dag-3', { paused: false, by: '' })
    },
  ],
  ['GET /workers', 100, () => get('/workers')],
  ['GET /workers with the DAGs that no runner serves', 100, () => get('/workers?unserved=true')],
  ['the queues that GET /events follows', 300, () => countQueues(db)],
  ['promotion', 300, () => promoteQueues(db, { limit: 500 })],
  ['a tick with nothing due', 500, tick],
  ['a tick with 10 of 10,000 schedules due', 700, tickWithTenDue],
  ['a tick that removes 10 runs and their texts', 700, tickWithTenExpired],
  ['a tick that may remove 100 versions', 1_000, tickWithSurplusVersions],
  ['the versions of a DAG, a page of 50', 110, () => get('/dags/long-gone/versions?limit=50')],
  ['a claim', 300, () => claim({})],
  // Invariants of the newest 10,000 runs.
  ['GET /metrics', 35_000, () => get('/metrics')],
  ['a run by its whole id', 200, () => get('/dag-runs?dagRunId=r999999&name=dag-9999')],
  [
    'a renewal',
    300,
    () =>
      renewLeases(db, {
        owner: 'o',
        claims: [],
        leaseMs: 60_000,
        worker: { labels: {}, slots: 1, host: 'h', pid: 1, draining: false },
      }),
  ],
]

describe('with 1,000,000 runs', () => {
  test.each(works)('%s reads at most %i rows, by an index', async (_what, most, work) => {
    // From the sixth execution on, a prepared statement may have a generic plan.
    for (let time = 0; time < 6; time++) await work()
    const { sequential, byIndex } = await reads(work)
    expect(sequential).toBe(0)
    expect(byIndex).toBeLessThanOrEqual(most)
  })

  test('GET /schedule reads its entries once, and only runs that schedules started', async () => {
    const from = Math.floor(Date.now() / 1000) - 7 * day
    const { sequential, byIndex } = await reads(() => get(`/schedule?from=${from}&limit=100`))
    expect(sequential + byIndex).toBeLessThan(25_000)
  })

  test('an enqueue after 3,000 others reads only the first of them', async () => {
    const many = async (changes: Partial<CreateRunRequest>, count: number): Promise<void> => {
      const [{ hash } = { hash: '' }] = await db.sql<{ hash: string }[]>`
        select definition_hash as hash from millrace.dag where file_name = 'dag-7'`
      const request = { mode: 'enqueue', dagName: 'dag-7', definitionHash: hash, ...changes } as const
      await createRuns(
        db,
        Array.from({ length: count }, () => runRequest(request)),
      )
    }
    await many({ queue: 'long' }, 3_000)
    const { sequential, byIndex } = await reads(() => many({ queue: 'long' }, 1))
    expect(sequential).toBe(0)
    expect(byIndex).toBeLessThan(50)
    await db.sql`delete from millrace.dag_run where queue = 'long'`
  })

  test('a list of many runs is never held in memory as a whole', async () => {
    const fromDate = Math.floor(Date.now() / 1000) - 60 * day
    const response = await open(`/dag-runs?fromDate=${fromDate}`, { accept: 'application/x-ndjson' })
    const before = usedHeap()
    let [chunks, lines, most] = [0, 0, 0]
    for await (const chunk of response.body ?? expect.fail('no body')) {
      lines += chunk.filter((byte: number) => byte === 10).length
      if (++chunks % 20 === 0) most = Math.max(most, usedHeap() - before)
    }
    expect(lines).toBeGreaterThan(59 * 24 * 60)
    expect(most).toBeLessThan(10_000_000)
  })

  test.each([
    ['is new', 'r500', ['r500', ...Array.from({ length: 9 }, (_, n) => `r500${n}`)]],
    ['is in the middle of new ids', '9876', expect.arrayContaining(['r9876', 'r19876']) as string[]],
    ['begins old ids', 'r99999', ['r99999', ...Array.from({ length: 9 }, (_, n) => `r99999${n}`)]],
    ['begins too many ids', 'r', expect.objectContaining({ length: 10 }) as string[]],
    ['is in the middle of old ids', '999999', []],
    ['is nowhere', 'nowhere', []],
  ])('the search for a part of an id that %s has a bounded cost', async (_what, part, expected) => {
    for (let time = 0; time < 6; time++) await idsOf(part)
    const { sequential, byIndex, pages } = await reads(async () => {
      expect((await idsOf(part)).toSorted()).toEqual(expected)
    })
    expect(sequential).toBe(0)
    expect(byIndex).toBeLessThan(110_000)
    expect(pages).toBeLessThan(20_000)
  })

  test('a full scan is measured as such', async () => {
    const { sequential } = await reads(async () => await db.sql`select max(error) from millrace.dag_run`)
    expect(sequential).toBeGreaterThan(0.99 * runs)
  })
})

describe('with 100,000 more runs ahead that no runner here may claim', () => {
  const claimable = [
    ['without labels', {}],
    ['with a label', { zone: 'a' }],
    ['with two labels', { zone: 'a', pool: 'other' }],
  ] as const

  beforeAll(async () => {
    await db.sql`
      insert into millrace.dag_run (run_id, dag_name, file_name, definition_hash, trigger_type, status, ready_at,
        labels, priority)
      select 'u' || n, dag_name, file_name, definition_hash, 'api', 'not_started', now() - interval '1 hour',
        jsonb_build_object('pool', 'p' || n % 1000), 5
      from generate_series(1, 100000) n, millrace.dag where dag.file_name = 'dag-0'`
    await db.sql`vacuum analyze millrace.dag_run`
    for (let run = 0; run < 300; run++) await api.start('dag-1')
  }, 120_000)

  test.each(claimable)('a runner %s claims as if they did not exist', async (_what, labels) => {
    for (let time = 0; time < 6; time++) expect(await claim(labels)).toHaveLength(10)
    const { sequential, byIndex, pages } = await reads(async () => {
      expect(await claim(labels)).toHaveLength(10)
    })
    expect(sequential).toBe(0)
    expect(byIndex).toBeLessThan(300)
    expect(pages).toBeLessThan(1_500)
  })

  test('a runner that finds nothing reads next to nothing', async () => {
    while ((await claim({})).length > 0) continue
    await db.sql`vacuum millrace.dag_run`
    const { byIndex, pages } = await reads(async () => {
      expect(await claim({ zone: 'a', pool: 'other' })).toEqual([])
    })
    expect(byIndex).toBeLessThan(10)
    expect(pages).toBeLessThan(50)
  })

  test('GET /metrics reads the active runs, and not the history', async () => {
    const { sequential, byIndex, pages } = await reads(() => get('/metrics'))
    expect(sequential).toBe(0)
    // Some for each of the 100,000; a tenth of the history.
    expect(byIndex).toBeLessThan(250_000)
    expect(pages).toBeLessThan(250_000)
  })
})
