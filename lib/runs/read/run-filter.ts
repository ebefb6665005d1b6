import { runStatuses } from '#lib/core/status.ts'
import { limits } from '#lib/core/limits.ts'
import type { Sql } from '#lib/db/statement.ts'

/** A filter for root runs. All fields that are set must match. */
export interface RunFilter {
  readonly dagName?: string
  /** Any of these statuses, as integers of the API, 0 to 6. */
  readonly statuses?: readonly number[]
  /** Range of the creation time, inclusive, seconds since 1970. */
  readonly fromDate?: number
  readonly toDate?: number
  /** Tag (ignoring case) and group of the stored DAG with the run's DAG name. */
  readonly tag?: string
  readonly group?: string
  /** Any of these values of the column `trigger_type`. */
  readonly triggers?: readonly string[]
  /** The runner that executes it now. */
  readonly worker?: string
  /** Part of a run id, matched literally; see `partOfId` for the runs it searches. */
  readonly dagRunId?: string
  /** Words. Each must occur in the DAG name or run id, ignoring case. */
  readonly q?: string
  /** Minimum duration, or time since the start of an active run, milliseconds. */
  readonly minMs?: number
}

/** Conditions on `dag_run`, each preceded by `and`, whose cost is bounded by an index or by the number of DAGs. */
export function runConditions(sql: Sql, filter: RunFilter) {
  const { dagName, fromDate, toDate, tag, group, triggers, worker } = filter
  return sql`
    ${dagName === undefined ? sql`` : sql`and dag_name = ${dagName}`}
    ${withStatus(sql, filter.statuses)}
    ${fromDate === undefined ? sql`` : sql`and created_at >= to_timestamp(${fromDate})`}
    ${toDate === undefined ? sql`` : sql`and created_at <= to_timestamp(${toDate})`}
    ${tag === undefined ? sql`` : sql`and ${ofDagsWith(sql, sql`d.tags @> array[lower(${tag})]`)}`}
    ${group === undefined ? sql`` : sql`and ${ofDagsWith(sql, sql`d.group_name = ${group}`)}`}
    ${triggers === undefined ? sql`` : sql`and trigger_type in ${sql(triggers)}`}
    ${worker === undefined ? sql`` : sql`and lease_owner = ${worker}`}`
}

const ofDagsWith = (sql: Sql, condition: unknown) => sql`
  dag_name in (select d.dag_name from millrace.dag d where ${condition})`

/** Conditions without an index; undefined when the filter has none. */
export function unindexedConditions(sql: Sql, { q = '', minMs }: RunFilter) {
  const words = q.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0 && minMs === undefined) return undefined
  const conditions = words.map(
    (word) => sql`and position(lower(${word}) in lower(dag_name || ' ' || run_id)) > 0`,
  )
  if (minMs !== undefined) {
    conditions.push(
      sql`and coalesce(finished_at, now()) - started_at >= ${minMs}::float8 * interval '1 millisecond'`,
    )
  }
  return conditions.reduce((all, condition) => sql`${all} ${condition}`)
}

/**
 * Restricts a search without an index to the newest runs that match the other conditions, so the cost of an empty
 * result does not grow with the history.
 */
export const amongNewest = (sql: Sql, conditions: unknown) => sql`
  and (created_at, run_key) >= (
    select coalesce(max(created_at), '-infinity'), coalesce(max(run_key), 0) from (
      select created_at, run_key from millrace.dag_run
      where parent_key is null ${conditions}
      order by created_at desc, run_key desc
      offset ${limits.partOfIdRunsMax - 1} limit 1
    ) as oldest
  )`

/**
 * The condition that a run has one of these shown statuses (integers of the API), preceded by `and`; undefined: any.
 * See `shownStatus`.
 */
export function withStatus(sql: Sql, codes: readonly number[] | undefined) {
  if (codes === undefined) return sql``
  const statuses = new Set(codes.map((code) => runStatuses[code] ?? ''))
  const isEnqueued = sql`(queued_at is not null and attempt = 1)`
  const plain = [...statuses].filter((status) => status !== 'not_started')
  const stored = plain.length === 1 ? sql`status = ${plain[0] ?? ''}` : sql`status in ${sql(plain)}`
  const waiting =
    statuses.has('queued') && statuses.has('not_started')
      ? sql`status = 'not_started'`
      : sql`(status = 'not_started' and ${statuses.has('queued') ? isEnqueued : sql`not ${isEnqueued}`})`
  if (!statuses.has('queued') && !statuses.has('not_started')) return sql`and ${stored}`
  return plain.length === 0 ? sql`and ${waiting}` : sql`and (${stored} or ${waiting})`
}

/** SQL for the status that callers see. */
export const shownStatusOf = (sql: Sql) => sql`
  case when status = 'not_started' and queued_at is not null and attempt = 1 then 'queued' else status end`
