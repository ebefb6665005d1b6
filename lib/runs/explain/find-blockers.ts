import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import type { RunRef } from '#lib/runs/read/run-record.ts'

export interface ChildRef extends RunRef {
  readonly step: string
  readonly status: string
}

/** Everything that an active run may wait for. */
export interface Blockers {
  readonly isStopping: boolean
  /** True after too many lost runners: the next runner only ends the run. */
  readonly isLost: boolean
  readonly hasOwner: boolean
  /** Milliseconds until the run is claimable (0 or less: now); null: it is not claimable. */
  readonly readyInMs: number | null
  /** Running steps. `waitUntil` (milliseconds since 1970) is set for a step between two attempts. */
  readonly steps: readonly { readonly name: string; readonly waitUntil: number | null }[]
  /** Child runs that have not ended. */
  readonly children: readonly ChildRef[]
}

/** Relies on the primary key of steps and on `dag_run_parent_idx`. */
export async function findBlockers(db: Database, runKey: string): Promise<Blockers> {
  const [row] = await db.sql<Blockers[]>`
    select r.stop_requested_at is not null as "isStopping",
      r.lost_count >= ${limits.lostRunnersMax}::int as "isLost", r.lease_owner is not null as "hasOwner",
      (extract(epoch from r.ready_at - clock_timestamp()) * 1000)::float8 as "readyInMs",
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'name', s.name, 'waitUntil', case when s.phase = 'waiting' then millrace.ms(s.wait_until) end
        ) order by s.place)
        from millrace.dag_run_step s where s.run_key = r.run_key and s.status = 'running'
      ), '[]') as steps,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'step', c.parent_step, 'dagName', c.dag_name, 'runId', c.run_id, 'status', c.status
        ) order by c.run_key)
        from millrace.dag_run c where c.parent_key = r.run_key and c.finished_at is null
      ), '[]') as children
    from millrace.dag_run r
    where r.run_key = ${runKey}::bigint`
  return (
    row ?? { isStopping: false, isLost: false, hasOwner: false, readyInMs: null, steps: [], children: [] }
  )
}

export interface QueuePosition {
  /** Who paused the queue (empty: unknown), and when (milliseconds since 1970). */
  readonly pause: { readonly by: string; readonly at: number } | null
  /** `maxActiveRuns` of the DAG. */
  readonly dagLimit: number
  /** Active runs of the DAG that count against `dagLimit`, in any queue; at most 20. */
  readonly activeOfDag: readonly RunRef[]
  readonly limit: number
  /** Queued runs that will be promoted before this one. */
  readonly ahead: number
  /** Runs that occupy the queue; at most 20. */
  readonly active: readonly RunRef[]
}

/** Relies on `dag_run_queued_idx` and `dag_run_active_idx`. */
export async function findQueue(db: Database, runKey: string, queue: string): Promise<QueuePosition> {
  const [row] = await db.sql<QueuePosition[]>`
    select coalesce(q.limit_override, q.max_concurrency, r.max_active_runs) as "limit",
      case when q.paused_at is not null
        then jsonb_build_object('by', q.paused_by, 'at', millrace.ms(q.paused_at)) end as pause,
      r.max_active_runs as "dagLimit",
      coalesce((
        select jsonb_agg(jsonb_build_object('dagName', a.dag_name, 'runId', a.run_id))
        from (
          select dag_name, run_id from millrace.dag_run
          where dag_name = r.dag_name and status in ('not_started', 'running')
            and coalesce(home_queue, queue) = coalesce(r.home_queue, r.queue)
            and (r.home_queue is not null or coalesce(q.limit_override, q.max_concurrency) is null)
          order by run_key limit 20
        ) as a
      ), '[]') as "activeOfDag",
      (
        select count(*)::int from millrace.dag_run o
        where o.queue = ${queue} and o.status = 'queued'
          and (o.priority > r.priority or (o.priority = r.priority and o.run_key < r.run_key))
      ) as ahead,
      coalesce((
        select jsonb_agg(jsonb_build_object('dagName', a.dag_name, 'runId', a.run_id))
        from (
          select dag_name, run_id from millrace.dag_run
          where queue = ${queue} and status in ('not_started', 'running') order by run_key limit 20
        ) as a
      ), '[]') as active
    from millrace.dag_run r
    left join millrace.queue q on q.name = ${queue}
    where r.run_key = ${runKey}::bigint`
  return row ?? { pause: null, dagLimit: 0, activeOfDag: [], limit: 0, ahead: 0, active: [] }
}

export interface FittingRunners {
  /** The labels that the run requires. */
  readonly labels: Readonly<Record<string, string>>
  /** Live runners with these labels that are not draining (`fitting`), and those of them with a free slot (`free`). */
  readonly fitting: number
  readonly free: number
  /** Live runners with these labels that are draining. */
  readonly draining: number
}

export async function findRunners(db: Database, runKey: string): Promise<FittingRunners> {
  const [row] = await db.sql<FittingRunners[]>`
    select r.labels, count(w.id) filter (where not w.drains)::int as fitting,
      count(w.id) filter (where w.busy < w.slots and not w.drains)::int as free,
      count(w.id) filter (where w.drains)::int as draining
    from millrace.dag_run r
    left join lateral (
      select w.id, w.slots, w.draining_at is not null as drains,
        (select count(*) from millrace.dag_run o where o.lease_owner = w.id) as busy
      from millrace.worker w
      where w.labels @> r.labels
        and w.heartbeat_at > clock_timestamp() - ${limits.runnerGoneMs} * interval '1 ms'
    ) as w on true
    where r.run_key = ${runKey}::bigint
    group by r.run_key, r.labels`
  return row ?? { labels: {}, fitting: 0, free: 0, draining: 0 }
}
