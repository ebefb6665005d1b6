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
}

/**
 * One page of the DAGs, by name. Specs are not read: lists show the summary that was stored with them.
 * @param filter.page counted from 1; clamped to the existing pages
 * @param filter.name part of the file name, ignoring case
 * @param filter.tag one tag, ignoring case
 */
export async function listDags(
  db: Database,
  filter: {
    page?: number | undefined
    perPage?: number | undefined
    name?: string | undefined
    tag?: string | undefined
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
          suspended_at is not null as suspended
        from millrace.dag where ${where}
        order by lower(dag_name), file_name limit ${perPage} offset ${(page - 1) * perPage}
      ) as listed
    ), '[]') as dags`
  return { ...row, page, perPage }
}

function conditions(sql: Sql, { name, tag }: { name?: string | undefined; tag?: string | undefined }) {
  return sql`
    true ${name === undefined ? sql`` : sql`and file_name ilike ${literalPattern(name)}`}
    ${tag === undefined ? sql`` : sql`and tags @> array[lower(${tag})]`}`
}
