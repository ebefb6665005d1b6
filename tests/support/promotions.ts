import type { Database } from '#lib/db/client.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { runRequest } from './run-request.ts'

/** What triggers in the database have observed. */
export interface Promotions {
  readonly promoted: number
  /** Promotions after which more runs were in progress than the limit in force allowed. */
  readonly over: readonly string[]
  readonly limitChanges: number
  /** Of these, changes to less than the number of runs in progress. */
  readonly lowered: number
}

const lanes = Array.from({ length: 8 }, (_, index) => `lane-${index}`)
const limitMax = 50
const promoterCount = 16
const workerCount = 4
const batch = 50

/**
 * Counts the runs in progress of each lane independently, in the order of commits: its triggers are deferred to the
 * commit and take one global lock. So it sees what others can see, and does not block undecided transactions.
 */
const witness = `
  create schema if not exists witness;
  create table witness.lane (
    name text primary key, active int not null default 0, most int, promoted int not null default 0,
    changes int not null default 0, lowered int not null default 0
  );
  create table witness.broken (lane text, active int, most int);
  create function witness.see_run() returns trigger language plpgsql as $$
  declare
    v_lane witness.lane;
  begin
    perform pg_advisory_xact_lock(471100);
    if new.status = 'not_started' then
      update witness.lane set active = active + 1, promoted = promoted + 1
      where name = new.queue
      returning * into v_lane;
      if v_lane.active > v_lane.most then
        insert into witness.broken values (v_lane.name, v_lane.active, v_lane.most);
      end if;
    elsif new.finished_at is not null then
      update witness.lane set active = active - 1 where name = new.queue;
    end if;
    return null;
  end $$;
  create function witness.see_limit() returns trigger language plpgsql as $$
  begin
    perform pg_advisory_xact_lock(471100);
    update witness.lane
    set most = new.max_concurrency, changes = changes + 1, lowered = lowered + (new.max_concurrency < active)::int
    where name = new.name;
    return null;
  end $$;
  create constraint trigger see_run after update of status on millrace.dag_run deferrable initially deferred
  for each row execute function witness.see_run();
  create constraint trigger see_limit after update of max_concurrency on millrace.queue deferrable initially deferred
  for each row execute function witness.see_limit()`

/** Enqueues this many runs and ends them, while sixteen promoters promote and limits go up and down. */
export async function promoteAtOnce(
  db: Database,
  {
    count,
    open,
    random,
  }: { readonly count: number; readonly open: () => Database; readonly random: () => number },
): Promise<Promotions> {
  await db.sql.unsafe(witness)
  for (const lane of lanes) {
    await db.sql`insert into witness.lane (name, most) values (${lane}, 1)`
    await db.sql`insert into millrace.queue (name, max_concurrency) values (${lane}, 1)`
  }
  let ended = 0
  const some = (): string => lanes[Math.floor(random() * lanes.length)] ?? ''
  const repeat = async (act: (own: Database) => Promise<unknown>): Promise<void> => {
    const own = open()
    while (ended < count) await act(own)
  }
  let made = 0
  const enqueue = async (own: Database): Promise<void> => {
    const many = Math.min(batch, count - made)
    if (many === 0 || made - ended > 2_000) return void (await own.sql`select pg_sleep(0.01)`)
    made += many
    const queue = some()
    const requests = Array.from({ length: many }, () => runRequest({ mode: 'enqueue', queue }))
    await createRuns(own, requests)
  }
  const work = async (own: Database): Promise<void> => {
    const asked = { owner: 'worker', labels: {}, count: batch, leaseMs: 600_000, known: { hash: [] } }
    const runs = await claimRuns(own, asked)
    const finish = { status: 'success', error: '' } as const
    await recordProgress(
      own,
      runs.map(({ runKey, token }) => ({ runKey, token, steps: [], finish })),
    )
    ended += runs.length
  }
  // Small limits are frequent, so they often fall below the number of runs in progress.
  const change = async (own: Database): Promise<unknown> =>
    await own.sql`
      update millrace.queue set max_concurrency = ${1 + Math.floor(random() ** 2 * limitMax)}::int
      where name = ${some()}`
  await Promise.all([
    repeat(enqueue),
    repeat(change),
    ...Array.from({ length: workerCount }, () => repeat(work)),
    ...Array.from({ length: promoterCount }, () =>
      repeat(async (own) => await own.sql`select millrace.promote_in_queues(array[${some()}])`),
    ),
  ])
  const broken = await db.sql<
    { text: string }[]
  >`select concat_ws(' ', lane, active, most) as text from witness.broken`
  const [sums] = await db.sql<Omit<Promotions, 'over'>[]>`
    select sum(promoted)::int as promoted, sum(changes)::int as "limitChanges", sum(lowered)::int as lowered
    from witness.lane`
  await db.sql.unsafe('drop schema witness cascade')
  return {
    promoted: 0,
    limitChanges: 0,
    lowered: 0,
    ...sums,
    over: broken.map(({ text }) => text),
  }
}
