import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFunctions } from '#lib/db/read-migrations.ts'

/** The contents of `migrations/functions/revision.json`, which identifies a state of the SQL functions. */
export interface FunctionsRevision {
  /** Shows a program whether the functions of a database are older or newer than its own. */
  readonly revision: number
  /** SHA-256 over all files, so that none changes without a new revision. */
  readonly hash: string
}

export const revisionFile = new URL('../migrations/functions/revision.json', import.meta.url)

/** The expected contents of the file: unchanged, or with the next revision if a function has changed. */
export function functionsRevision(): FunctionsRevision {
  const stored = JSON.parse(readFileSync(revisionFile, 'utf8')) as FunctionsRevision
  const digest = createHash('sha256')
  for (const { name, hash } of readFunctions().files) digest.update(`${name} ${hash}\n`)
  const hash = digest.digest('hex')
  return hash === stored.hash ? stored : { revision: stored.revision + 1, hash }
}
