import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { connect } from '#lib/db/client.ts'
import { limits } from '#lib/core/limits.ts'
import { startProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts'
import { until } from '#tests/support/until.ts'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()
const { db } = kit
const spec = 'steps:\n  - echo done\n'

/**
 * Makes a claim wait at a gate after it has changed the run and before it commits. Notes what each transaction does
 * to a run: a claim that starts a step makes two notes in one transaction.
 */
const gate = 4_711
await db.sql.unsafe(`
  create table public.note (what text, run_key bigint, transaction xid8 default pg_current_xact_id());
  create function public.wait_at_gate() returns trigger language plpgsql as $$
  begin
    insert into public.note values ('claim', new.run_key);
    perform pg_advisory_xact_lock_shared(${gate});
    return null;
  end $$;
  create function public.note_step() returns trigger language plpgsql as $$
  begin
    insert into public.note values ('step', new.run_key);
    return null;
  end $$;
  create trigger note_step after insert on millrace.dag_run_step
  for each row execute function public.note_step();
  create trigger wait_at_gate after update of claim_token on millrace.dag_run
  for each row execute function public.wait_at_gate()`)

beforeEach(async () => {
  await db.sql`delete from millrace.dag_run`
})

/** Starts a runner behind a proxy, whose claim waits at the gate. `known`: whether it has run the DAG before */
async function claimAtGate(options: { readonly known?: boolean } = {}): Promise<{
  readonly runKey: string
  readonly proxy: TcpProxy
  /** The client port of the claiming connection, as the server sees it. */
  readonly port: number
  readonly open: () => Promise<unknown>
}> {
  const keeper = connect(kit.url, { max: 1, applicationName: 'keeper' })
  const proxy = await startProxy(kit.url)
  const through = connect(proxy.through(kit.url), {
    max: 4,
    applicationName: 'unheard',
    statementMs: limits.statementMsMax,
  })
  onTestFinished(async () => {
    await keeper.close()
    await runner.stop()
    await through.close()
    await proxy.close()
  })
  const runner = kit.runner({ db: through, renewEveryMs: 100, leaseMs: 45_000 })
  if (options.known === true) await kit.finished(await kit.start(spec))
  await keeper.sql`select pg_advisory_lock(${gate})`
  const runKey = await kit.start(spec)
  const port = await until('the claim waits', async () => {
    const [row] = await db.sql<{ port: number }[]>`
      select client_port as port from pg_stat_activity
      where application_name = 'unheard' and wait_event_type = 'Lock' and query like '%claim_runs%'`
    return row?.port
  })
  return { runKey, proxy, port, open: () => keeper.close() }
}

test('a run that the database refuses to record is not released, or it would restart forever', async () => {
  await db.sql.unsafe(`
    create function public.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before insert on millrace.dag_run_step for each row execute function public.refuse()`)
  onTestFinished(async () => void (await db.sql.unsafe('drop function public.refuse cascade')))
  const events: string[] = []
  const skip = (): void => undefined
  const log = {
    debug: skip,
    warn: skip,
    error: skip,
    info: ({ event }: { event: string }) => events.push(event),
  }
  const runner = kit.runner({ renewEveryMs: 100, leaseMs: 45_000, log })
  onTestFinished(() => runner.stop())
  const runKey = await kit.start(spec)
  await until('the runner drops the run', () => events.includes('run.lease-lost'))
  for (let renewal = 0; renewal < 3; renewal++) await renewed()
  expect(await claimOf(runKey)).toMatchObject({ token: 1, owner: runner.owner })
})

test('a run whose claim response was lost is released before its lease expires', async () => {
  const { runKey, proxy, open } = await claimAtGate()
  proxy.cut('reset')
  await open()
  expect(await kit.finished(runKey)).toMatchObject({ status: 'success' })
  expect(await claimOf(runKey)).toEqual({ token: 2, lost: 0, owner: null })
})

test('steps started by a claim whose response was lost are reset', async () => {
  const { runKey, proxy, open } = await claimAtGate({ known: true })
  proxy.cut('reset')
  await open()
  expect(await kit.finished(runKey)).toMatchObject({ status: 'success' })
  expect(await claimOf(runKey)).toEqual({ token: 2, lost: 0, owner: null })
  // The lost claim started the step in its transaction. That start was undone, since the step starts again.
  expect(await notesOf(runKey)).toEqual(['claim, step', 'claim', 'step'])
})

test('a claim that still waits for its response is not released by a renewal', async () => {
  const { runKey, proxy, port, open } = await claimAtGate()
  const release = proxy.hold(port)
  await open()
  await until('it is committed', async () => {
    const rows =
      await db.sql`select 1 from millrace.dag_run where run_key = ${runKey}::bigint and claim_token = 1`
    return rows.length === 1
  })
  for (let renewal = 0; renewal < 3; renewal++) await renewed()
  release()
  expect(await kit.finished(runKey)).toMatchObject({ status: 'success' })
  expect(await claimOf(runKey)).toEqual({ token: 1, lost: 0, owner: null })
})

/** Resolves after the next renewal of the runner. */
async function renewed(): Promise<void> {
  const beat = async (): Promise<unknown> => {
    const [row] =
      await db.sql`select max(heartbeat_at)::text as at from millrace.worker where draining_at is null`
    return row?.['at']
  }
  const before = await beat()
  await until('the runner renews its leases', async () => (await beat()) !== before)
}

/** What each transaction did to a run, in order. */
async function notesOf(runKey: string): Promise<string[]> {
  const rows = await db.sql<{ notes: string }[]>`
    select string_agg(what, ', ' order by what) as notes from public.note
    where run_key = ${runKey}::bigint group by transaction order by transaction`
  return rows.map(({ notes }) => notes)
}

async function claimOf(runKey: string): Promise<unknown> {
  const [row] = await db.sql`
    select claim_token::int as token, lost_count as lost, lease_owner as owner
    from millrace.dag_run where run_key = ${runKey}::bigint`
  return row
}
