import { invariant, ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { codeOf } from '#lib/db/errors.ts'
import { changeText, type Change } from './change.ts'
import { dagColumns } from './dag-columns.ts'
import { getDag, type StoredDag } from './get-dag.ts'

const attemptsMax = 5

/**
 * Renames a DAG file. A DAG without a name in its spec takes the name of the file, so it becomes a new DAG; runs
 * created before keep the old name.
 * @throws ServiceError `not_found`, `already_exists` when the name is taken, `already_running` while a run is active
 */
export async function renameDag(
  db: Database,
  input: { readonly fileName: string; readonly newFileName: string; readonly change?: Change },
): Promise<void> {
  const { fileName, newFileName } = input
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const dag = await getDag(db, fileName)
    if (newFileName === fileName || (await moved(db, dag, input))) return
    await explain(db, dag, newFileName)
  }
  invariant(false, `"${fileName}" was changed ${attemptsMax} times while it was renamed`)
}

/** Renames the version that was read. @returns false when something is in the way */
async function moved(
  db: Database,
  dag: StoredDag,
  { newFileName, change }: Parameters<typeof renameDag>[1],
): Promise<boolean> {
  const { spec, base } = dag
  // The rows of the schedule follow by the foreign key, the versions by a trigger.
  const withBase = base === undefined ? {} : { base }
  const named = await dagColumns(db, { fileName: newFileName, spec, zone: 'UTC', ...withBase })
  try {
    const renamed = await db.sql`
      update millrace.dag d
      set file_name = ${newFileName}, dag_name = ${named.dagName}, summary = ${named.summary}::text::jsonb
      where file_name = ${dag.fileName} and version = ${dag.version}
        and not exists (
          select from millrace.dag_run r
          where r.dag_name = d.dag_name and r.status in ('not_started', 'running', 'queued')
        )
      returning set_config('millrace.change', ${changeText(change)}, true)`
    return renamed.length === 1
  } catch (error) {
    if (codeOf(error) === '23505') return false
    throw error
  }
}

async function explain(db: Database, dag: StoredDag, newFileName: string): Promise<void> {
  const [row] = await db.sql<{ taken: boolean; active: boolean }[]>`
    select exists (select from millrace.dag where file_name = ${newFileName}) as taken,
      exists (
        select from millrace.dag_run
        where dag_name = ${dag.dagName} and status in ('not_started', 'running', 'queued')
      ) as active`
  if (row?.taken === true) throw new ServiceError('already_exists', `DAG "${newFileName}" already exists`)
  if (row?.active === true) throw new ServiceError('already_running', `DAG "${dag.fileName}" is running`)
}
