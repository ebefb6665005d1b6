import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { readSpec } from '#lib/definition/read-spec.ts'
import { stepNamesOf } from './dag-columns.ts'

/** Notes the names of the steps of DAGs that a version stored which had no column for them. */
export async function noteSteps({ sql }: Database): Promise<void> {
  for (;;) {
    const rows = await sql<{ fileName: string; hash: string; spec: string; base: string | null }[]>`
      select d.file_name as "fileName", f.hash, f.spec, f.base_spec as base from millrace.dag d
      join millrace.definition f on f.hash = d.definition_hash
      where d.step_names is null
      limit ${limits.specsPerRead}`
    if (rows.length === 0) return
    for (const { fileName, hash, spec, base } of rows) {
      const names = stepNamesOf(readSpec(spec, base === null ? { fileName } : { fileName, base }))
      await sql`
        update millrace.dag set step_names = ${names}
        where file_name = ${fileName} and definition_hash = ${hash} and step_names is null`
    }
  }
}
