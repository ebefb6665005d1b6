import { limits } from '#lib/core/limits.ts'
import { invariant } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

export interface RunCounts {
  readonly running: number
  readonly queued: number
  /** All root runs that ever ended with this status; each attempt counts. */
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  readonly dags: number
  /** Files in the DAG folder that could not be stored. */
  readonly faultyFiles: number
  readonly schedulerRunning: boolean
  /** Live runners that are not draining. */
  readonly runners: number
  /** Age of the oldest claimable run that no runner has claimed; 0 when there is none. */
  readonly oldestReadySeconds: number
  /** Violated invariants among the newest runs and all active ones; see `millrace.check_invariants`. */
  readonly violations: number
}

const checkedRuns = 10_000

/**
 * Counts for the metrics. Partial success counts as success. The cost depends on the active and queued runs, not on the
 * history: ended runs are read from totals, as of the last call of `foldEnds`.
 */
export async function countState(db: Database): Promise<RunCounts> {
  const [row] = await db.sql<RunCounts[]>`
    select
      (select count(*) from millrace.dag_run where parent_key is null and status = 'running')::int as running,
      (select count(*) from millrace.dag_run where parent_key is null and status = 'queued')::int as queued,
      coalesce(sum(runs) filter (where status in ('success', 'partial_success')), 0)::float8 as succeeded,
      coalesce(sum(runs) filter (where status = 'failed'), 0)::float8 as failed,
      coalesce(sum(runs) filter (where status = 'cancelled'), 0)::float8 as cancelled,
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
      (select count(*) from millrace.check_invariants(${checkedRuns}))::int as violations
    from millrace.run_total`
  invariant(row !== undefined, 'an aggregate has one row')
  return row
}
