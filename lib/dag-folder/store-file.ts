import { join } from 'node:path'
import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { Change } from '#lib/dags/change.ts'
import { createDag } from '#lib/dags/create-dag.ts'
import type { DagDefaults } from '#lib/dags/dag-columns.ts'
import { definitionHash } from '#lib/dags/definition-hash.ts'
import { findDagText } from '#lib/dags/find-dag-text.ts'
import { saveSpec } from '#lib/dags/save-spec.ts'
import type { Database } from '#lib/db/client.ts'
import { problemTexts } from '#lib/definition/read-spec.ts'
import { FileError } from '#lib/files/file-error.ts'
import { readSmallFile } from '#lib/files/read-small-file.ts'

/** `fault`: why the text was not stored; the stored DAG is unchanged then. */
export type Stored =
  | { readonly outcome: 'stored' | 'unchanged' | 'gone' }
  | { readonly outcome: 'faulty'; readonly fault: string }

/** Stores a file as a DAG, unless its text is already stored. */
export async function storeFile(
  db: Database,
  file: { readonly folder: string; readonly path: string; readonly fileName: string },
  defaults: DagDefaults,
): Promise<Stored> {
  try {
    const bytes = readSmallFile(join(file.folder, file.path), {
      what: 'DAG file',
      bytesMax: limits.specBytesMax,
      // Faults quote lines of the file, so a link must not expose files outside the folder.
      bounds: [{ folders: [file.folder], fault: 'is a link out of the folder of DAGs' }],
    })
    return await storeSpec(db, { fileName: file.fileName, spec: bytes.toString('utf8') }, defaults)
  } catch (error) {
    // Removed since the scan.
    if (error instanceof FileError && error.code === 'ENOENT') return { outcome: 'gone' }
    if (error instanceof FileError) return { outcome: 'faulty', fault: error.message }
    throw error
  }
}

/** Creates or updates a DAG, unless this text is already stored. */
export async function storeSpec(
  db: Database,
  { fileName, spec }: { readonly fileName: string; readonly spec: string },
  defaults: DagDefaults,
): Promise<Exclude<Stored, { outcome: 'gone' }>> {
  const change: Change = { source: 'folder' }
  const stored = await findDagText(db, fileName)
  if (stored?.hash === definitionHash(spec, defaults.base)) return { outcome: 'unchanged' }
  try {
    if (stored === undefined) await createDag(db, { ...defaults, fileName, spec, change })
    else {
      const { problems } = await saveSpec(db, { ...defaults, fileName, spec, version: undefined, change })
      if (problems.length > 0) return { outcome: 'faulty', fault: problemTexts(problems).join('; ') }
    }
    return { outcome: 'stored' }
  } catch (error) {
    // Other errors mean that the DAG was created or removed concurrently; the next pass sees that.
    if (!(error instanceof ServiceError) || error.code !== 'bad_request') throw error
    return { outcome: 'faulty', fault: error.message }
  }
}
