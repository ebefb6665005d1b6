import { eq, sql } from 'drizzle-orm'
import { notFound, ServiceError } from '#lib/core/errors.ts'
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
  /** Milliseconds since 1970; undefined: it is not suspended. */
  readonly suspendedAt: number | undefined
  /** Also undefined without authentication. */
  readonly suspendedBy: string | undefined
  /** Milliseconds since 1970. */
  readonly updatedAt: number
}

const columns = {
  fileName: dag.fileName,
  dagName: dag.dagName,
  hash: dag.definitionHash,
  version: dag.version,
  summary: dag.summary,
  problems: dag.problems,
  suspendedAt: sql<number | null>`millrace.ms(${dag.suspendedAt})::float8`,
  suspendedBy: dag.suspendedBy,
  updatedAt: sql<number>`millrace.ms(${dag.updatedAt})::float8`,
  spec: definition.spec,
  base: definition.baseSpec,
}

const byFileName = statement((on) =>
  on
    .select(columns)
    .from(dag)
    .innerJoin(definition, eq(definition.hash, dag.definitionHash))
    .where(eq(dag.fileName, sql.placeholder('fileName')))
    .prepare('dag_by_file_name'),
)

const byDagName = statement((on) =>
  on
    .select(columns)
    .from(dag)
    .innerJoin(definition, eq(definition.hash, dag.definitionHash))
    .where(eq(dag.dagName, sql.placeholder('dagName')))
    .orderBy(dag.fileName)
    .limit(2)
    .prepare('dag_by_name'),
)

type Row = Awaited<ReturnType<ReturnType<typeof byFileName>['execute']>>[number]

/**
 * The DAG of a file.
 * @throws ServiceError `not_found`; it says which file has this as its `name`
 */
export async function getDag(db: Database, fileName: string): Promise<StoredDag> {
  const [row] = await byFileName(db).execute({ fileName })
  if (row === undefined) throw await absentDag(db, fileName)
  return toStoredDag(row)
}

/**
 * The DAG of a file, or the one DAG with this `name`. For calls that neither read nor change the text of a file: who
 * looks whether a file exists must not be shown another.
 * @throws ServiceError `not_found`, also when several DAGs have the name
 */
export async function findDag(db: Database, fileOrName: string): Promise<StoredDag> {
  const [row] = await byFileName(db).execute({ fileName: fileOrName })
  if (row !== undefined) return toStoredDag(row)
  const [named, other] = await byDagName(db).execute({ dagName: fileOrName })
  if (named === undefined) throw notFound('DAG', fileOrName)
  if (other !== undefined) throw ambiguous(fileOrName, [named, other])
  return toStoredDag(named)
}

/** The error of a call that names no file. A call that changes a DAG is not led to another file than it names. */
export async function absentDag(db: Database, fileName: string): Promise<ServiceError> {
  const [named, other] = await byDagName(db).execute({ dagName: fileName })
  if (named === undefined) return notFound('DAG', fileName)
  if (other !== undefined) return ambiguous(fileName, [named, other])
  const shown = JSON.stringify(fileName)
  return new ServiceError('not_found', `file ${shown} not found; the DAG ${shown} is in ${named.fileName}`)
}

function ambiguous(name: string, rows: readonly Row[]): ServiceError {
  const files = rows.map(({ fileName }) => fileName).join(' or ')
  const message = `several DAGs have the name ${JSON.stringify(name)}: name the file, such as ${files}`
  return new ServiceError('not_found', message)
}

function toStoredDag({ base, suspendedAt, suspendedBy, summary, ...rest }: Row): StoredDag {
  return {
    ...rest,
    defaultName: rest.fileName,
    base: base ?? undefined,
    summary: summary as DagSummary,
    suspended: suspendedAt !== null,
    suspendedAt: suspendedAt ?? undefined,
    suspendedBy: suspendedBy ?? undefined,
  }
}
