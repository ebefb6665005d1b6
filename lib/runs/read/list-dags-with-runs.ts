import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import type { Sql } from '#lib/db/statement.ts'
import { literalPattern } from '#lib/dags/literal-pattern.ts'
import { fileFaults, type FileFault } from '#lib/dags/owning-files.ts'
import type { DagSummary } from '#lib/dags/summarize-dag.ts'
import { rowOfListedRun, toListedRun, type ListedRow } from './run-columns.ts'
import type { ListedRun } from './run-record.ts'

export interface DagPage {
  readonly dags: readonly ListedDag[]
  /** Number of DAGs on all pages together. */
  readonly total: number
  readonly page: number
  readonly perPage: number
  /** Files of the folder of DAGs that are not stored. */
  readonly faults: readonly FileFault[]
}

export interface ListedDag {
  readonly fileName: string
  readonly name: string
  readonly summary: DagSummary
  readonly problems: readonly string[]
  readonly suspended: boolean
  /** Milliseconds since 1970; null when no start is scheduled. */
  readonly nextRunAt: number | null
  /** Its newest root run; undefined when it never ran. */
  readonly latestRun: ListedRun | undefined
  /** Its newest root runs, newest first, as many as were asked for; undefined when none were. */
  readonly recentRuns: readonly ListedRun[] | undefined
}

type ShownDag = Omit<ListedDag, 'latestRun' | 'recentRuns'> & { readonly recent: readonly ListedRow[] | null }
type Row = { readonly total: number; readonly faults: readonly FileFault[] | null } & (
  | { readonly fileName: null }
  | (ShownDag & (ListedRow | { readonly runKey: null }))
)

/**
 * One page of the DAGs with their newest runs, in one statement: one look-up in `dag_run_dag_idx` per DAG, whatever the
 * number of runs. Specs are not read: lists show the summary that was stored with them.
 * @param filter.page counted from 1
 * @param filter.perPage at most `limits.dagsPerPageMax`
 * @param filter.name part of the file name, ignoring case
 * @param filter.tag one tag, ignoring case
 * @param filter.runs newest runs of each DAG, at most `limits.historyRunsMax`; none when absent
 * @param filter.sort by name, or by the next scheduled start; DAGs without one come last
 */
export async function listDags(
  db: Database,
  filter: {
    page?: number | undefined
    perPage?: number | undefined
    name?: string | undefined
    tag?: string | undefined
    runs?: number | undefined
    sort?: 'name' | 'nextRun' | undefined
    order?: 'asc' | 'desc' | undefined
  },
): Promise<DagPage> {
  const page = Math.max(1, filter.page ?? 1)
  const asked = filter.perPage ?? 0
  const perPage = asked < 1 ? limits.dagsPerPageDefault : Math.min(asked, limits.dagsPerPageMax)
  const { sql } = db
  const where = conditions(sql, filter)
  const rows = await sql<[Row, ...Row[]]>`
    select counted.total, counted.faults,
      dag.file_name as "fileName", dag.dag_name as name, dag.summary, to_json(dag.problems) as problems,
      dag.suspended_at is not null as suspended, floor(date_part('epoch', dag.next_run_at) * 1000) as "nextRunAt",
      newest.*, ${filter.runs === undefined ? sql`null` : sql`coalesce(recent.runs, '[]')`} as recent
    from (
      select count(*)::int as total, (select json_agg(f) from (${fileFaults(sql)}) as f) as faults
      from millrace.dag where ${where}
    ) as counted
    left join lateral (
      select * from (select *, ${nextRun(sql)} as next_run_at from millrace.dag where ${where}) as dag
      order by ${order(sql, filter)} limit ${perPage} offset ${(page - 1) * perPage}
    ) as dag on true
    left join lateral (
      select ${rowOfListedRun(sql)}
      from millrace.dag_run
      where dag_name = dag.dag_name and parent_key is null
      order by created_at desc, run_key desc
      limit 1
    ) as newest on true
    ${filter.runs === undefined ? sql`` : recentRuns(sql, filter.runs)}
    order by ${order(sql, filter)}`
  const { total, faults } = rows[0]
  return { dags: rows.flatMap(toListedDag), total, page, perPage, faults: faults ?? [] }
}

function toListedDag(row: Row): ListedDag[] {
  if (row.fileName === null) return []
  const { fileName, name, summary, problems, suspended, nextRunAt, recent } = row
  const latestRun = row.runKey === null ? undefined : toListedRun(row)
  const recentRuns = recent?.map(toListedRun)
  return [{ fileName, name, summary, problems, suspended, nextRunAt, latestRun, recentRuns }]
}

const recentRuns = (sql: Sql, runs: number) => sql`
  left join lateral (
    select json_agg(run) as runs from (
      select ${rowOfListedRun(sql)}
      from millrace.dag_run
      where dag_name = dag.dag_name and parent_key is null
      order by created_at desc, run_key desc
      limit ${Math.min(Math.max(runs, 1), limits.historyRunsMax)}
    ) as run
  ) as recent on true`

/** The next scheduled start of a DAG. Most have no schedule, which the summary tells without a look-up. */
const nextRun = (sql: Sql) => sql`
  case when summary -> 'schedule' <> '[]' then (
    select min(s.next_at) from millrace.schedule s where s.file_name = dag.file_name and s.kind = 'start'
  ) end`

/** File names break ties, so that pages neither repeat nor miss a DAG. */
function order(sql: Sql, { sort = 'name', order = 'asc' }: Parameters<typeof listDags>[1]) {
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  if (sort === 'name') return sql`lower(dag.dag_name) ${direction}, dag.file_name ${direction}`
  return sql`case when dag.suspended_at is null then dag.next_run_at end ${direction} nulls last, dag.file_name`
}

function conditions(sql: Sql, { name, tag }: { name?: string | undefined; tag?: string | undefined }) {
  return sql`
    true ${name === undefined ? sql`` : sql`and file_name ilike ${literalPattern(name)}`}
    ${tag === undefined ? sql`` : sql`and tags @> array[lower(${tag})]`}`
}
