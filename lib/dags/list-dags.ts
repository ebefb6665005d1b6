import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import type { Sql } from '#lib/db/statement.ts'
import { literalPattern } from './literal-pattern.ts'
import type { DagSummary } from './summarize-dag.ts'

export interface DagPage {
  readonly dags: readonly ListedDag[]
  /** Number of DAGs on all pages together. */
  readonly total: number
  readonly page: number
  readonly perPage: number
}

export interface ListedDag {
  readonly fileName: string
  readonly dagName: string
  readonly summary: DagSummary
  readonly problems: readonly string[]
  readonly suspended: boolean
  /** Milliseconds since 1970; null when no start is scheduled. */
  readonly nextRunAt: number | null
}

/**
 * One page of the DAGs. Specs are not read: lists show the summary that was stored with them.
 * @param filter.page counted from 1; clamped to the existing pages
 * @param filter.name part of the file name, ignoring case
 * @param filter.tag one tag, ignoring case
 * @param filter.sort by name, or by the next scheduled start; DAGs without one come last
 */
export async function listDags(
  db: Database,
  filter: {
    page?: number | undefined
    perPage?: number | undefined
    name?: string | undefined
    tag?: string | undefined
    sort?: 'name' | 'nextRun' | undefined
    order?: 'asc' | 'desc' | undefined
  },
): Promise<DagPage> {
  const page = Math.max(1, filter.page ?? 1)
  const asked = filter.perPage ?? 0
  const perPage = asked < 1 ? limits.dagsPerPageDefault : Math.min(asked, limits.dagsPerPageMax)
  const { sql } = db
  const where = conditions(sql, filter)
  const [row] = await sql<[{ total: number; dags: readonly ListedDag[] }]>`
    select (select count(*)::int from millrace.dag where ${where}) as total, coalesce((
      select json_agg(listed) from (
        select file_name as "fileName", dag_name as "dagName", summary, problems,
          suspended_at is not null as suspended, ${nextRun(sql)} as "nextRunAt"
        from millrace.dag where ${where}
        order by ${order(sql, filter)} limit ${perPage} offset ${(page - 1) * perPage}
      ) as listed
    ), '[]') as dags`
  return { ...row, page, perPage }
}

/** The next scheduled start of a DAG. Relies on the primary key of `schedule`. */
const nextRun = (sql: Sql) => sql`(
  select floor(date_part('epoch', min(s.next_at)) * 1000)
  from millrace.schedule s where s.file_name = dag.file_name and s.kind = 'start'
)`

/** File names break ties, so that pages neither repeat nor miss a DAG. */
function order(sql: Sql, { sort = 'name', order = 'asc' }: Parameters<typeof listDags>[1]) {
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  if (sort === 'name') return sql`lower(dag_name) ${direction}, file_name ${direction}`
  return sql`case when suspended_at is null then ${nextRun(sql)} end ${direction} nulls last, file_name`
}

function conditions(sql: Sql, { name, tag }: { name?: string | undefined; tag?: string | undefined }) {
  return sql`
    true ${name === undefined ? sql`` : sql`and file_name ilike ${literalPattern(name)}`}
    ${tag === undefined ? sql`` : sql`and tags @> array[lower(${tag})]`}`
}
