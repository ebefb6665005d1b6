import { eq, sql } from 'drizzle-orm'
import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { statement } from '#lib/db/drizzle.ts'
import { dag, definition } from '#lib/db/schema.ts'
import type { DagSummary } from './summarize-dag.ts'

/** A stored DAG file. */
export interface StoredDag {
  readonly fileName: string
  /** The name in the spec, otherwise the file name. */
  readonly dagName: string
  readonly defaultName: string
  readonly spec: string
  readonly base: string | undefined
  readonly hash: string
  readonly version: number
  readonly summary: DagSummary
  readonly problems: readonly string[]
  readonly suspended: boolean
}

const byFileName = statement((on) =>
  on
    .select({
      dagName: dag.dagName,
      hash: dag.definitionHash,
      version: dag.version,
      summary: dag.summary,
      problems: dag.problems,
      suspendedAt: dag.suspendedAt,
      spec: definition.spec,
      base: definition.baseSpec,
    })
    .from(dag)
    .innerJoin(definition, eq(definition.hash, dag.definitionHash))
    .where(eq(dag.fileName, sql.placeholder('fileName')))
    .prepare('dag_by_file_name'),
)

/** @throws ServiceError `not_found` */
export async function getDag(db: Database, fileName: string): Promise<StoredDag> {
  const [row] = await byFileName(db).execute({ fileName })
  if (row === undefined) throw notFound('DAG', fileName)
  const { base, suspendedAt, summary, ...rest } = row
  return {
    ...rest,
    fileName,
    defaultName: fileName,
    base: base ?? undefined,
    summary: summary as DagSummary,
    suspended: suspendedAt !== null,
  }
}
