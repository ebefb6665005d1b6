import type { RunStatus } from '#lib/core/status.ts'
import type { Sql } from '#lib/db/statement.ts'
import { literalPattern } from '#lib/dags/literal-pattern.ts'
import { shownStatusOf } from './run-filter.ts'

/** The state of a DAG: the status of its newest root run, or `never`. */
export type DagState = RunStatus | 'never'

/** A filter for DAGs. All fields that are set must match. */
export interface DagFilter {
  /** Part of the file name, ignoring case. */
  readonly name?: string | undefined
  /** One tag, ignoring case. */
  readonly tag?: string | undefined
  readonly group?: string | undefined
  readonly suspended?: boolean | undefined
  readonly hasErrors?: boolean | undefined
  /** Words. Each must occur in the file name, DAG name, group or a tag, ignoring case. */
  readonly q?: string | undefined
  /** Any of these {@link DagState}s. */
  readonly states?: readonly string[] | undefined
}

export type DagSort = 'name' | 'next' | 'last' | 'state' | 'duration'

/** The sort order of states: those that need attention come first. */
const statesInOrder: readonly DagState[] = [
  'failed',
  'partial_success',
  'running',
  'queued',
  'not_started',
  'cancelled',
  'success',
  'never',
]

/** Whether the newest run of each DAG must be read to select a page. */
export const needsLatest = ({ states }: DagFilter, sort: DagSort): boolean =>
  states !== undefined || sort === 'last' || sort === 'state' || sort === 'duration'

/** The newest root run of a DAG, by `dag_run_dag_idx`. */
export const latestOfDag = (sql: Sql) => sql`
  left join lateral (
    select ${shownStatusOf(sql)} as state, coalesce(started_at, created_at) as began_at,
      coalesce(finished_at, now()) - started_at as took
    from millrace.dag_run
    where dag_name = dag.dag_name and parent_key is null
    order by created_at desc, run_key desc
    limit 1
  ) as latest on true`

/** SQL conditions on `dag`, and on `latest` if {@link needsLatest}. */
export function dagConditions(
  sql: Sql,
  { name, tag, group, suspended, hasErrors, q = '', states }: DagFilter,
) {
  const words = q.split(/\s+/).filter((word) => word !== '')
  return sql`
    true ${name === undefined ? sql`` : sql`and dag.file_name ilike ${literalPattern(name)}`}
    ${tag === undefined ? sql`` : sql`and dag.tags @> array[lower(${tag})]`}
    ${group === undefined ? sql`` : sql`and dag.group_name = ${group}`}
    ${suspended === undefined ? sql`` : sql`and (dag.suspended_at is not null) = ${suspended}`}
    ${hasErrors === undefined ? sql`` : sql`and (cardinality(dag.problems) > 0) = ${hasErrors}`}
    ${states === undefined ? sql`` : sql`and coalesce(latest.state, 'never') in ${sql(states)}`}
    ${words.map((word) => hasWord(sql, word)).reduce((all, one) => sql`${all} ${one}`, sql``)}`
}

const hasWord = (sql: Sql, word: string) => sql`
  and position(
    lower(${word}) in lower(concat_ws(' ', dag.file_name, dag.dag_name, dag.group_name, array_to_string(dag.tags, ' ')))
  ) > 0`

/** SQL for the sort key of a DAG; null sorts last, and file names break ties. */
export function dagSortKey(sql: Sql, sort: DagSort) {
  if (sort === 'name') return sql`lower(dag.dag_name)`
  if (sort === 'next') return sql`case when dag.suspended_at is null then ${nextRunOf(sql)} end`
  if (sort === 'last') return sql`latest.began_at`
  if (sort === 'duration') return sql`latest.took`
  const ranks = statesInOrder.map((state, rank) => sql`when ${state} then ${rank}::int`)
  return sql`case coalesce(latest.state, 'never') ${ranks.reduce((all, one) => sql`${all} ${one}`)} end`
}

/** The next scheduled start of a DAG. Most have no schedule; their summary shows that without a query. */
export const nextRunOf = (sql: Sql) => sql`
  case when dag.summary -> 'schedule' <> '[]' then (
    select min(s.next_at) from millrace.schedule s where s.file_name = dag.file_name and s.kind = 'start'
  ) end`
