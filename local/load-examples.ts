import type { Deps } from '#lib/app/compose.ts'
import { currentDefaults } from '#lib/dags/current-defaults.ts'
import { nameFiles } from '#lib/dag-folder/name-files.ts'
import { scanFolder } from '#lib/dag-folder/scan-folder.ts'
import { storeFile } from '#lib/dag-folder/store-file.ts'

/** Puts the examples into a database that has never seen a DAG, a run or a folder of DAGs. */
export async function loadExamples(
  { db, log, defaults }: Pick<Deps, 'db' | 'log' | 'defaults'>,
  folder: string,
): Promise<void> {
  const [row] = await db.sql<{ fresh: boolean }[]>`
    select not exists (select from millrace.dag) and not exists (select from millrace.dag_run)
      and not exists (select from millrace.dag_folder) as fresh`
  if (row?.fresh !== true) return
  const current = await currentDefaults(db, defaults)
  for (const { path, fileName } of nameFiles((await scanFolder(folder)).files)) {
    if (fileName === undefined) continue
    const stored = await storeFile(db, { folder, path, fileName }, current)
    if (stored.outcome === 'stored') log.info({ event: 'dag.loaded', fileName }, 'a DAG was loaded')
    else log.warn({ event: 'dag.rejected', fileName, ...stored }, 'an example was not loaded')
  }
}
