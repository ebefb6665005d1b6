import { array, constantFrom, nat, record, type Arbitrary } from 'fast-check'
import { ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { codeOf } from '#lib/db/errors.ts'
import { functionCall, type Argument } from '#lib/db/function-call.ts'
import { setDraining } from '#lib/workers/set-draining.ts'
import { runRequest } from './run-request.ts'
import { until } from './until.ts'

/** One statement of one actor. `pick` chooses its run, as an index among the runs. */
export interface Move {
  readonly actor: number
  readonly act: (typeof acts)[number]
  readonly pick: number
}

const actorCount = 4
const acts = [
  'enqueue',
  'enqueue',
  'enqueue',
  'enqueue',
  'enqueue narrow',
  'enqueue elsewhere',
  'enqueue several',
  'start',
  'start solo',
  'start solo',
  'start solo',
  'begin child',
  'run child',
  'run child',
  'claim',
  'claim',
  'claim',
  'renew',
  'undo',
  'record step',
  'record step',
  'record several',
  'record several',
  'finish',
  'finish',
  'release',
  'stop',
  'stop',
  'continue stops',
  'expire leases',
  'dequeue',
  'retry',
  'promote',
  'time passes',
  'take over',
  'take over',
  'take over slowly',
  'take over slowly',
  'release stopped runs',
  'begin',
  'begin',
  'commit',
  'commit',
  'roll back',
  'lose',
  'lose',
  'lose',
  'start text',
  'start text',
  'start stored',
  'edit',
  'remove',
  'remove',
  'remove unused definitions',
  'remove unused definitions',
  'fold ends',
  'fold ends',
  'pause queue',
  'pause queue',
  'resume queue',
  'resume queue',
  'limit queue',
  'drain runner',
  'resume runner',
  'resume runner',
] as const

/** The statuses of runs on which an act has an effect. */
const targets: Readonly<Partial<Record<(typeof acts)[number], string>>> = {
  stop: 'not_started,running',
  dequeue: 'queued',
  retry: 'success,failed,cancelled',
  'time passes': 'running',
  lose: 'running',
  'take over slowly': 'running',
  remove: 'success,failed,cancelled',
}

/** Random schedules, which shrink by removing moves. */
export const schedules: Arbitrary<Move[]> = array(
  record({
    actor: nat(actorCount - 1),
    act: constantFrom(...acts),
    pick: nat(7),
  }),
  { minLength: 12, maxLength: 60, size: 'max' },
)

/**
 * Notes what no function may ever do: write a step under an old token, take over a live run, claim a leased run, or
 * claim with a drained runner. Counts the ends of root runs.
 */
const witness = `
  create table if not exists public.broken (what text);
  create table if not exists public.ended (status text);
  create or replace function public.see_step() returns trigger language plpgsql as $$
  begin
    insert into public.broken select 'written under an old token: ' || new.name from millrace.dag_run r
    where r.run_key = new.run_key and new.status = 'running'
      and (r.lease_owner is null or new.name <> 't' || r.claim_token);
    return null;
  end $$;
  create or replace trigger see_step after insert or update on millrace.dag_run_step
  for each row execute function public.see_step();
  create or replace function public.see_run() returns trigger language plpgsql as $$
  begin
    if old.finished_at is null and new.finished_at is not null and new.parent_key is null then
      insert into public.ended values (new.status);
    end if;
    if new.lost_count > old.lost_count and old.lease_until > clock_timestamp() then
      insert into public.broken values ('a live run was taken over');
    end if;
    if new.claim_token > old.claim_token and old.lease_owner is not null then
      insert into public.broken values ('claimed over a lease');
    end if;
    if new.claim_token > old.claim_token and exists (
      select from millrace.worker w where w.id = new.lease_owner and w.draining_at is not null
    ) then
      insert into public.broken values ('claimed by a drained runner');
    end if;
    if new.lease_owner is not null and new.lease_until > clock_timestamp() + interval '31 seconds' then
      insert into public.broken values ('a lease longer than was asked for');
    end if;
    if new.lease_owner is not null and old.lease_owner is null and new.claim_token = old.claim_token then
      insert into public.broken values ('a lease without a new token');
    end if;
    return null;
  end $$;
  create or replace trigger see_run after update on millrace.dag_run
  for each row execute function public.see_run()`

interface Claim {
  readonly key: string
  readonly token: string
}

/** One connection, which may be in a transaction, or wait for a lock of another. */
class Actor {
  readonly db: Database
  readonly name: string
  readonly claims: Claim[] = []
  pid = 0
  isOpen = false
  /** How many state functions its open transaction has called. */
  calls = 0
  waiting: Promise<void> | undefined
  error: unknown

  constructor(db: Database, name: string) {
    this.db = db
    this.name = name
  }

  /** Like {@link Database.call}, but without retrying deadlocks, which must be seen. */
  async call<Result>(name: string, ...args: readonly Argument[]): Promise<Result> {
    const { text, values } = functionCall(name, args)
    if (this.isOpen) this.calls += 1
    const [row] = await this.db.sql.unsafe(text, values, { prepare: true })
    return row?.['result'] as Result
  }
}

/** Actors on a real database, and checks after every move. */
export class Interleaving {
  readonly #eye: Database
  readonly #actors: readonly Actor[]
  readonly #endings = new Map<string, { attempt: number; ending: string }>()
  readonly #tokens = new Map<string, number>()
  /** How many moves had to wait for another actor. */
  waits = 0
  /**
   * Deadlocks while a transaction of several calls was open, which may take locks in any order. Any other deadlock is a
   * bug, because every single call takes its locks in the same order.
   */
  deadlocks = 0

  private constructor(eye: Database, actors: readonly Actor[]) {
    this.#eye = eye
    this.#actors = actors
  }

  static async begin(eye: Database, connections: readonly Database[]): Promise<Interleaving> {
    await eye.sql.unsafe(witness)
    const actors = connections.slice(0, actorCount).map((db, index) => new Actor(db, `actor-${index}`))
    for (const actor of actors) {
      const [row] = await actor.db.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
      actor.pid = row?.pid ?? 0
    }
    return new Interleaving(eye, actors)
  }

  /** Plays one schedule on an empty database. @throws Error that names the broken rule, and the move before */
  async play(moves: readonly Move[]): Promise<void> {
    const { sql } = this.#eye
    this.#endings.clear()
    this.#tokens.clear()
    for (const actor of this.#actors) actor.claims.length = 0
    await sql`
      truncate public.broken, public.ended, millrace.run_end, millrace.run_total, millrace.definition,
        millrace.queue, millrace.unfinished_stop, millrace.worker cascade`
    await sql`insert into millrace.queue (name, max_concurrency) values ('lane', 2)`
    await sql`
      insert into millrace.setting (name, value, applied_by) values ('MILLRACE_DAG_VERSIONS', '2', 'test')
      on conflict do nothing`
    await sql`insert into millrace.definition (hash, spec) values ('text-0', '')`
    await sql`
      insert into millrace.dag (file_name, dag_name, definition_hash, summary)
      values ('stored', 'stored', 'text-0', '{}')`
    try {
      for (const [index, move] of moves.entries()) {
        const actor = this.#actors[move.actor]
        if (actor === undefined || actor.waiting !== undefined) continue
        await this.#move(actor, move)
        await this.#check(`move ${index} (${actor.name}: ${move.act} ${move.pick})`)
      }
    } finally {
      await this.#settle()
    }
    await this.#check('the end')
  }

  async #move(actor: Actor, { act, pick }: Move): Promise<void> {
    if (act === 'begin' ? actor.isOpen : ['commit', 'roll back'].includes(act) && !actor.isOpen) return
    // Mostly runs on which the act has an effect: others are refused at once.
    const fitting = pick < 6 ? targets[act] : undefined
    const keys = await this.#eye.sql<{ key: string; attempt: number }[]>`
      select run_key::text as key, attempt from millrace.dag_run
      where ${fitting ?? null}::text is null or status = any (string_to_array(${fitting ?? null}, ','))
      order by run_key`
    const run = keys[pick % Math.max(1, keys.length)] ?? { key: '0', attempt: 1 }
    const work = perform(actor, act, pick, run).catch((error: unknown) => this.#failed(actor, error))
    const waiting = work.finally(() => {
      actor.waiting = undefined
    })
    actor.waiting = waiting
    await until(
      'the statement ended or waits',
      async () => {
        if (actor.waiting === undefined) return true
        const [row] = await this.#eye.sql<{ waits: boolean }[]>`
        select cardinality(pg_blocking_pids(${actor.pid})) > 0 as waits`
        return row?.waits
      },
      { everyMs: 1 },
    )
    if (actor.waiting === undefined) return
    this.waits += 1
    // These acts skip locked rows.
    if (
      ['claim', 'take over', 'take over slowly', 'lose', 'remove unused definitions', 'fold ends'].includes(
        act,
      )
    )
      actor.error = new Error(`${act} waits for another actor`)
  }

  async #failed(actor: Actor, error: unknown): Promise<void> {
    // 25P02: a statement that a deadlock rolled back was sent again in the aborted transaction.
    const isDeadlock = ['40P01', '25P02'].includes(codeOf(error) ?? '')
    const mayHappen = isDeadlock && this.#actors.some(({ calls }) => calls > 1)
    if (actor.isOpen) await actor.db.sql.unsafe('rollback').catch(() => undefined)
    actor.isOpen = false
    actor.calls = 0
    if (mayHappen) this.deadlocks += 1
    else actor.error = error
  }

  async #settle(): Promise<void> {
    while (this.#actors.some((actor) => actor.isOpen || actor.waiting !== undefined)) {
      for (const actor of this.#actors.filter((one) => one.isOpen && one.waiting === undefined)) {
        await this.#move(actor, { actor: 0, act: 'commit', pick: 0 })
      }
      await until(
        'an actor continues',
        () =>
          this.#actors.some((actor) => actor.waiting === undefined && actor.isOpen) ||
          this.#actors.every((actor) => actor.waiting === undefined),
        { everyMs: 1 },
      )
    }
  }

  async #check(when: string): Promise<void> {
    const { sql } = this.#eye
    const [seen] = await sql<{ broken: string[]; runs: RunState[] }[]>`
      select to_jsonb(array(
          select what from public.broken union all select invariant || ' ' || detail from millrace.check_invariants()
        )
        || array(
          select 'more than one run of ' || dag_name from millrace.dag_run
          where status in ('not_started', 'running') and (dag_name = 'narrow' and queued_at is not null)
            or status in ('not_started', 'running', 'queued') and dag_name = 'solo' and attempt = 1
          group by dag_name having count(*) > 1
        )
        || array(
          select 'nobody refers to definition ' || hash || ', and it is not noted' from millrace.definition f
          where not gc_candidate and not exists (select from millrace.dag d where d.definition_hash = f.hash)
            and not exists (select from millrace.dag_version v where v.definition_hash = f.hash and not v.is_surplus)
            and not exists (select from millrace.dag_run r where r.definition_hash = f.hash)
        )
        || array(
          select 'the ends of status ' || status || ' are not counted once each' from (
            select status, -1 as runs from public.ended
            union all
            select status, 1 from millrace.run_end
            union all
            select status, runs from millrace.run_total
          ) as counted group by status having sum(runs) <> 0
        )) as broken,
        (select coalesce(jsonb_agg(jsonb_build_object(
          'key', run_key::text, 'attempt', attempt, 'token', claim_token, 'ended', finished_at is not null,
          'ending', concat_ws(' ', status, finished_at, error, claim_token)
        )), '[]') from millrace.dag_run) as runs`
    const broken = [...(seen?.broken ?? [])]
    for (const { key, attempt, token, ended, ending } of seen?.runs ?? []) {
      const before = this.#endings.get(key)
      if (before?.attempt === attempt && before.ending !== ending)
        broken.push(`${before.ending} became ${ending}`)
      if (ended) this.#endings.set(key, { attempt, ending })
      if (token < (this.#tokens.get(key) ?? 0)) broken.push('a token fell')
      this.#tokens.set(key, token)
    }
    for (const actor of this.#actors) {
      if (actor.error !== undefined) broken.push(`${actor.name}: ${messageOf(actor.error)}`)
      actor.error = undefined
    }
    if (broken.length > 0) throw new Error(`after ${when}: ${broken.join('; ')}`)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown')

interface RunState {
  readonly key: string
  readonly attempt: number
  readonly token: number
  readonly ended: boolean
  readonly ending: string
}

const leaseMs = 30_000

/** The step of this claim, and the one that the first claim of the run may have started. */
function endedSteps(token: string): object[] {
  const ended = { place: 0, status: 'success', phase: null, attempt: 1, retryCount: 0, doneCount: 1 }
  return [...new Set(['t1', `t${token}`])].map((name) => ({ ...ended, name }))
}

async function perform(
  actor: Actor,
  act: Move['act'],
  pick: number,
  run: { readonly key: string; readonly attempt: number },
): Promise<void> {
  const { db, claims, name, isOpen } = actor
  // Old claims are tried too: fencing must refuse them.
  const claim = claims[pick % Math.max(1, claims.length)] ?? { key: '0', token: '0' }
  const record = (more: object): Promise<unknown> =>
    actor.call('record', [{ runKey: claim.key, token: claim.token, steps: [], ...more }])
  const create = (changes: Parameters<typeof runRequest>[0]): Promise<unknown> =>
    actor.call('create_runs', [runRequest(changes)])
  switch (act) {
    case 'begin':
      await db.sql.unsafe('begin')
      actor.isOpen = true
      return
    case 'commit':
    case 'roll back':
      await db.sql.unsafe(act === 'commit' ? 'commit' : 'rollback')
      actor.isOpen = false
      actor.calls = 0
      return
    case 'enqueue':
      return void (await create({ mode: 'enqueue', queue: 'lane', priority: pick % 2 }))
    case 'enqueue elsewhere': {
      const queue = ['lane', 'aside', 'zone'][pick % 3] ?? null
      return void (await create({ mode: 'enqueue', dagName: 'narrow', queue, homeQueue: 'narrow' }))
    }
    case 'enqueue several': {
      const lanes = pick % 2 === 0 ? ['lane', 'narrow'] : ['narrow', 'lane']
      const requests = lanes.map((lane) => runRequest({ mode: 'enqueue', dagName: lane, queue: lane }))
      return void (await actor.call('create_runs', requests))
    }
    case 'record several': {
      const items = claims.map(({ key, token }) => ({
        runKey: key,
        token,
        steps: [],
        run: { checked: true },
      }))
      return void (await actor.call('record', pick % 2 === 0 ? items : items.toReversed()))
    }
    case 'continue stops':
      // The state that stopping a tree too large for one statement leaves.
      await db.sql`
        insert into millrace.unfinished_stop (run_key, requested_at) values (${run.key}::bigint, clock_timestamp())`
      return void (await actor.call('continue_stops', 1 + pick))
    case 'expire leases':
      return void (await actor.call('expire_leases'))
    case 'enqueue narrow':
      return void (await create({ mode: 'enqueue', dagName: 'narrow', queue: 'narrow' }))
    case 'start':
      return void (await create({ queue: null }))
    case 'start solo':
      return void (await create({ dagName: 'solo', queue: null, singleton: true }))
    case 'begin child': {
      const parent = { runKey: claim.key, token: claim.token, step: 'call', round: 0 }
      return void (await create({ dagName: 'child', queue: null, trigger: 'child', priority: 9, parent }))
    }
    case 'run child': {
      await perform(actor, 'begin child', pick, run)
      // The child has the highest priority, but another actor may claim it first.
      const [child] = await actor.call<{ runKey: string; token: string }[]>(
        'claim_runs',
        name,
        {},
        1,
        leaseMs,
        [],
      )
      if (child === undefined) return
      claims.push({ key: child.runKey, token: child.token })
      const finish = { status: 'success', error: '' }
      return void (await actor.call('record', [{ ...child, steps: endedSteps(child.token), finish }]))
    }
    case 'claim': {
      // Some runners know the definition, so the claim starts a step.
      const known = pick % 2 === 0 ? {} : { hash: [{ name: 't1', place: 0 }] }
      const found = await actor.call<{ runKey: string; token: string }[]>(
        'claim_runs',
        name,
        {},
        2,
        leaseMs,
        known,
      )
      claims.push(...found.map(({ runKey, token }) => ({ key: runKey, token })))
      return
    }
    case 'undo':
      return void (await actor.call('undo_claims', name, [{ runKey: claim.key, token: claim.token }]))
    case 'renew': {
      // A runner knows only its last claim of a run.
      const last = new Map(claims.map(({ key, token }) => [key, token]))
      const given = [...last].map(([runKey, token]) => ({ runKey, token }))
      if (!isOpen) await perform(actor, 'begin', pick, run)
      const { lost } = await actor.call<{ lost: string[] }>('renew_leases', name, given, leaseMs, {})
      await checkRenewed(
        actor,
        given.filter(({ runKey }) => !lost.includes(runKey)),
      )
      if (!isOpen) await perform(actor, 'commit', pick, run)
      return
    }
    case 'record step':
      return void (await record({
        steps: [
          {
            name: `t${claim.token}`,
            place: 0,
            status: 'running',
            phase: 'executing',
            attempt: 1,
            retryCount: 0,
            doneCount: 0,
          },
        ],
      }))
    case 'finish':
      return void (await record({
        steps: endedSteps(claim.token),
        finish: { status: 'success', error: '' },
      }))
    case 'release':
      return void (await record({ release: { readyAtMs: null } }))
    case 'stop':
      return void (await actor.call('stop_run', BigInt(run.key)))
    case 'dequeue':
      return void (await actor.call('dequeue_run', BigInt(run.key)))
    case 'retry':
      return void (await actor.call('retry_run', BigInt(run.key), run.attempt, [], null))
    case 'promote':
      return void (await actor.call('promote_queues', 10))
    case 'time passes':
      return void (await db.sql`
        update millrace.dag_run set lease_until = clock_timestamp() - interval '1 second' where run_key = (
          select run_key from millrace.dag_run where run_key = ${run.key} and lease_owner is not null
          for update skip locked)`)
    case 'lose':
      await perform(actor, 'time passes', pick, run)
      return perform(actor, 'take over', pick, run)
    case 'take over slowly':
      // Others see the expired lease, but not the takeover.
      await perform(actor, 'time passes', pick, run)
      if (!isOpen) await perform(actor, 'begin', pick, run)
      return perform(actor, 'take over', pick, run)
    case 'take over':
      return void (await actor.call('take_over_lost_runs', 10, 0))
    case 'release stopped runs':
      return void (await actor.call('release_stopped_runs', 10))
    case 'start text':
      return void (await create({ queue: null, definitionHash: `text-${pick % 3}` }))
    case 'start stored':
      // Possibly of an old text of the file, as from a cache.
      return void (await create({
        dagName: 'stored',
        fileName: 'stored',
        queue: null,
        spec: null,
        definitionHash: `text-${pick % 3}`,
      }))
    case 'edit':
      return void (await db.sql`
        with kept as (
          insert into millrace.definition (hash, spec) values (${`text-${pick % 3}`}, '')
          on conflict (hash) do update set gc_candidate = true
        )
        update millrace.dag set definition_hash = ${`text-${pick % 3}`} where file_name = 'stored'`)
    case 'remove':
      return void (await db.sql`
        select millrace.remove_trees(array(
          select run_key from millrace.dag_run r
          where run_key = ${run.key} and parent_key is null and finished_at is not null
            and not exists (select from millrace.dag_run c where c.root_key = r.run_key and c.finished_at is null)
          for update skip locked
        ))`)
    case 'remove unused definitions':
      return void (await actor.call('remove_unused_definitions', 10))
    case 'fold ends':
      return void (await actor.call('fold_ends', 1 + pick))
    case 'pause queue':
    case 'resume queue': {
      const queue = pick % 3 === 0 ? 'narrow' : 'lane'
      return void (await actor.call('control_queue', queue, { paused: act === 'pause queue' }, name))
    }
    case 'limit queue':
      return void (await actor.call('control_queue', 'lane', { limit: [null, 1, 3][pick % 3] ?? null }, name))
    case 'drain runner':
    case 'resume runner':
      // Each actor drains only itself, because a concurrent claim may or may not succeed.
      return await setDraining(db, { id: name, draining: act === 'drain runner', by: name }).catch(
        ignoreUnknown,
      )
  }
}

/** An actor is registered only after its first renewal. */
function ignoreUnknown(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error
}

/** Renewed runs are locked by the transaction: they must belong to this actor, under the newest token. */
async function checkRenewed(
  { db, name }: Actor,
  renewed: readonly { readonly runKey: string; readonly token: string }[],
): Promise<void> {
  const rows = await db.sql<{ key: string; token: string; owner: string | null }[]>`
    select run_key::text as key, claim_token::text as token, lease_owner as owner from millrace.dag_run`
  const now = new Map(rows.map(({ key, token, owner }) => [key, `${token} ${owner}`]))
  for (const { runKey, token } of renewed) {
    if (now.get(runKey) !== `${token} ${name}`) throw new Error('renewed a run of another owner')
  }
}
