import { limits } from '#lib/core/limits.ts'
import { invariant } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

export interface RunCounts {
  readonly running: number
  readonly queued: number
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  readonly dags: number
  /** Files of the folder of DAGs that are not stored. */
  readonly faultyFiles: number
  readonly schedulerRunning: boolean
  /** Live runners that are not draining. */
  readonly runners: number
  /** Age of the oldest claimable run that no runner has claimed; 0 when there is none. */
  readonly oldestReadySeconds: number
  /** Violated invariants among the newest runs and all active ones; see `millrace.audit`. */
  readonly violations: number
}

const auditedRuns = 10_000

/** Counts for the metrics. A run with partial success counts as succeeded. */
export async function countState(db: Database): Promise<RunCounts> {
  const [row] = await db.sql<RunCounts[]>`
    select
      count(*) filter (where status = 'running')::int as running,
      count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status in ('success', 'partial_success'))::int as succeeded,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'cancelled')::int as cancelled,
      (select count(*) from millrace.dag)::int as dags,
      (select count(*) from millrace.owning_file where fault is not null)::int as "faultyFiles",
      exists(
        select from millrace.ticker where heartbeat_at > clock_timestamp() - interval '90 seconds'
      ) as "schedulerRunning",
      (
        select count(*) from millrace.worker
        where heartbeat_at > clock_timestamp() - ${limits.runnerGoneMs} * interval '1 ms' and draining_at is null
      )::int as runners,
      (
        select greatest(coalesce(extract(epoch from clock_timestamp() - min(ready_at)), 0), 0)
        from millrace.dag_run
        where lease_owner is null and ready_at is not null and status in ('not_started', 'running')
      )::float8 as "oldestReadySeconds",
      (select count(*) from millrace.audit(${auditedRuns}))::int as violations
    from millrace.dag_run
    where parent_key is null`
  invariant(row !== undefined, 'a count has one row')
  return row
}
