import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import type { Sql } from '#lib/db/statement.ts'
import { fileFaults, type FileFault } from '#lib/dags/owning-files.ts'
import type { StoredSummary } from '#lib/dags/summarize-dag.ts'
import {
  dagConditions,
  dagSortKey,
  latestOfDag,
  needsLatest,
  nextRunOf,
  type DagFilter,
  type DagSort,
} from './dag-filter.ts'
import { rowOfListedRun, toListedRun, type ListedRow } from './run-columns.ts'
import type { ListedRun } from './run-record.ts'

export interface DagPage {
  readonly dags: readonly ListedDag[]
  /** Number of DAGs on all pages. */
  readonly total: number
  readonly page: number
  readonly perPage: number
  /** Files in the DAG folder that could not be stored. */
  readonly faults: readonly FileFault[]
}

export interface ListedDag {
  readonly fileName: string
  readonly name: string
  readonly summary: StoredSummary
  readonly problems: readonly string[]
  readonly suspended: boolean
  /** Milliseconds since 1970; null when no start is scheduled. */
  readonly nextRunAt: number | null
  /** IANA time zone of the next start; null: unknown. */
  readonly nextRunZone: string | null
  /** Time of the last save, milliseconds since 1970. */
  readonly updatedAt: number
  /** Path of its source file in the DAG folder; null: none. */
  readonly sourceFile: string | null
  /** Its newest root run; undefined: never ran. */
  readonly latestRun: ListedRun | undefined
  /** Its newest root runs, newest first; undefined if not requested. */
  readonly recentRuns: readonly ListedRun[] | undefined
}

type ShownDag = Omit<ListedDag, 'latestRun' | 'recentRuns'> & { readonly recent: readonly ListedRow[] }
type Row = { readonly total: number; readonly faults: readonly FileFault[] | null } & (
  | { readonly fileName: null }
  | ShownDag
)

/**
 * A page of DAGs with their newest runs, in one statement. Costs one look-up in `dag_run_dag_idx` per DAG of the page,
 * or per stored DAG if the filter or sort depends on the newest run. Specs are not read, only the stored summaries.
 * Without a DAG folder, which most installations lack, no source files are looked up.
 * @param filter.page counted from 1
 * @param filter.perPage at most `limits.dagsPerPageMax`
 * @param filter.runs number of newest runs per DAG, at most `limits.historyRunsMax`; default: none
 * @param filter.sort by name, by next scheduled start, or by start, status or duration of the newest run; DAGs
 *   without that value come last
 */
export async function listDags(
  db: Database,
  filter: DagFilter & {
    page?: number | undefined
    perPage?: number | undefined
    runs?: number | undefined
    sort?: DagSort | undefined
    order?: 'asc' | 'desc' | undefined
  },
): Promise<DagPage> {
  const page = Math.max(1, filter.page ?? 1)
  const requested = filter.perPage ?? 0
  const perPage = requested < 1 ? limits.dagsPerPageDefault : Math.min(requested, limits.dagsPerPageMax)
  const runs = Math.min(Math.max(filter.runs ?? 1, 1), limits.historyRunsMax)
  const { sql } = db
  const sorted = order(sql, filter)
  const rows = await sql<[Row, ...Row[]]>`
    with ${found(sql, filter)}
    select counted.total, counted.faults,
      dag.file_name as "fileName", dag.dag_name as name, dag.summary, to_json(dag.problems) as problems,
      dag.suspended_at is not null as suspended,
      floor(date_part('epoch', dag.next_run_at) * 1000) as "nextRunAt",
      case when dag.next_run_at is not null then (
        select coalesce(s.zone, s.default_zone) from millrace.schedule s
        where s.file_name = dag.file_name and s.kind = 'start' and s.next_at = dag.next_run_at
        order by s.place limit 1
      ) end as "nextRunZone",
      floor(date_part('epoch', dag.updated_at) * 1000) as "updatedAt",
      case when exists (select from millrace.owning_file) then (
        select f.path from millrace.owning_file f where f.file_name = dag.file_name order by f.path limit 1
      ) end as "sourceFile",
      coalesce(recent.runs, '[]') as recent
    from (
      select count(*)::int as total, (select json_agg(f) from (${fileFaults(sql)}) as f) as faults from found
    ) as counted
    left join (
      select * from found order by ${sorted} limit ${perPage} offset ${(page - 1) * perPage}
    ) as found on true
    left join lateral (
      select dag.*, ${nextRunOf(sql)} as next_run_at from millrace.dag where dag.file_name = found.file_name
    ) as dag on true
    left join lateral (
      select json_agg(run) as runs from (
        select ${rowOfListedRun(sql)}
        from millrace.dag_run
        where dag_name = dag.dag_name and parent_key is null
        order by created_at desc, run_key desc
        limit ${runs}
      ) as run
    ) as recent on true
    order by ${sorted}`
  const { total, faults } = rows[0]
  const toDag = (row: Row) => toListedDag(row, filter.runs !== undefined)
  return { dags: rows.flatMap(toDag), total, page, perPage, faults: faults ?? [] }
}

/**
 * The `found` query. Materialized if it looks up the newest run of every DAG, to do so once; otherwise inlined, so that
 * the index is read only as far as the page.
 */
function found(sql: Sql, { sort = 'name', ...filter }: Parameters<typeof listDags>[1]) {
  const readsLatest = needsLatest(filter, sort)
  return sql`
    found as ${readsLatest ? sql`` : sql`not`} materialized (
      select dag.file_name, ${dagSortKey(sql, sort)} as sort_key
      from millrace.dag ${readsLatest ? latestOfDag(sql) : sql``}
      where ${dagConditions(sql, filter)}
    )`
}

function toListedDag(row: Row, hasRecent: boolean): ListedDag[] {
  if (row.fileName === null) return []
  const { recent, total: _total, faults: _faults, ...dag } = row
  const runs = recent.map(toListedRun)
  return [{ ...dag, latestRun: runs[0], recentRuns: hasRecent ? runs : undefined }]
}

/** The sort order. File names break ties, so that pages neither repeat nor miss a DAG. */
function order(sql: Sql, { sort = 'name', order = 'asc' }: Parameters<typeof listDags>[1]) {
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  if (sort === 'name') return sql`found.sort_key ${direction}, found.file_name ${direction}`
  return sql`found.sort_key ${direction} nulls last, found.file_name`
}
