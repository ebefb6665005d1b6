import { runStatuses } from '#lib/core/status.ts'
import { limits } from '#lib/core/limits.ts'
import type { Sql } from '#lib/db/statement.ts'

/** Which root runs are meant; each field narrows them further. */
export interface RunFilter {
  readonly dagName?: string
  /** Any of these integers of the API; above 6 no run has it. */
  readonly statuses?: readonly number[]
  /** Range of the creation time of the run, both ends inclusive, in seconds since 1970. */
  readonly fromDate?: number
  readonly toDate?: number
  /** Of the stored DAG of that name: a tag, in any case; its group. */
  readonly tag?: string
  readonly group?: string
  /** What created the run, as the table has it: any of these words. */
  readonly triggers?: readonly string[]
  /** The runner that executes it now. */
  readonly worker?: string
  /** Part of a run id, matched literally; see `partOfId` for where it is looked for. */
  readonly dagRunId?: string
  /** Words, each a part of the name of the DAG or of the run id, in any case. */
  readonly q?: string
  /** How long it took at least, or has taken so far, milliseconds. */
  readonly minMs?: number
}

/** Conditions on `dag_run`, each after an `and`, of which an index or a number of DAGs bounds the work. */
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

/** Conditions that no index knows; undefined when the filter has none. */
export function soughtConditions(sql: Sql, { q = '', minMs }: RunFilter) {
  const words = q.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0 && minMs === undefined) return undefined
  const pieces = words.map(
    (word) => sql`and position(lower(${word}) in lower(dag_name || ' ' || run_id)) > 0`,
  )
  if (minMs !== undefined) {
    pieces.push(
      sql`and coalesce(finished_at, now()) - started_at >= ${minMs}::float8 * interval '1 millisecond'`,
    )
  }
  return pieces.reduce((all, piece) => sql`${all} ${piece}`)
}

/**
 * The condition that a run is among the newest that other conditions leave, as many as are searched for what no index
 * knows. The cost of what is not there does not grow with the history.
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

/** By the statuses that callers see, as their integers; undefined: any. See `shownStatus`. */
export function withStatus(sql: Sql, codes: readonly number[] | undefined) {
  if (codes === undefined) return sql``
  const words = new Set(codes.map((code) => runStatuses[code] ?? ''))
  const isEnqueued = sql`(queued_at is not null and attempt = 1)`
  const plain = [...words].filter((word) => word !== 'not_started')
  const stored = plain.length === 1 ? sql`status = ${plain[0] ?? ''}` : sql`status in ${sql(plain)}`
  const waiting =
    words.has('queued') && words.has('not_started')
      ? sql`status = 'not_started'`
      : sql`(status = 'not_started' and ${words.has('queued') ? isEnqueued : sql`not ${isEnqueued}`})`
  if (!words.has('queued') && !words.has('not_started')) return sql`and ${stored}`
  return plain.length === 0 ? sql`and ${waiting}` : sql`and (${stored} or ${waiting})`
}

/** SQL for the status that callers see. */
export const shownStatusOf = (sql: Sql) => sql`
  case when status = 'not_started' and queued_at is not null and attempt = 1 then 'queued' else status end`
