import { and, asc, count, sql } from 'drizzle-orm'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dag } from '#lib/db/schema.ts'
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
  const where = and(
    filter.name === undefined ? undefined : sql`${dag.fileName} ilike ${literalPattern(filter.name)}`,
    filter.tag === undefined ? undefined : sql`${dag.tags} @> array[lower(${filter.tag})]`,
  )
  const [rows, [counted]] = await Promise.all([
    orm(db)
      .select({
        fileName: dag.fileName,
        dagName: dag.dagName,
        summary: dag.summary,
        problems: dag.problems,
        suspendedAt: dag.suspendedAt,
      })
      .from(dag)
      .where(where)
      .orderBy(asc(sql`lower(${dag.dagName})`), asc(dag.fileName))
      .limit(perPage)
      .offset((page - 1) * perPage),
    orm(db).select({ total: count() }).from(dag).where(where),
  ])
  return { dags: rows.map(toListedDag), total: counted?.total ?? 0, page, perPage }
}

type ListedRow = Omit<ListedDag, 'summary' | 'suspended'> & {
  readonly summary: unknown
  readonly suspendedAt: string | null
}

function toListedDag({ suspendedAt, summary, ...row }: ListedRow): ListedDag {
  return { ...row, summary: summary as DagSummary, suspended: suspendedAt !== null }
}
