import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFunctions } from '#lib/db/read-migrations.ts'

/** `migrations/functions/revision.json`: a state of the SQL functions. */
export interface FunctionsRevision {
  /** Shows a program whether the functions of a database are older or newer than its own. */
  readonly revision: number
  /** Of all files, so that none changes without the number. */
  readonly hash: string
}

export const revisionFile = new URL('../migrations/functions/revision.json', import.meta.url)

/** What the file must hold: as it is, or the next number when a function has changed. */
export function functionsRevision(): FunctionsRevision {
  const noted = JSON.parse(readFileSync(revisionFile, 'utf8')) as FunctionsRevision
  const digest = createHash('sha256')
  for (const { name, hash } of readFunctions().files) digest.update(`${name} ${hash}\n`)
  const hash = digest.digest('hex')
  return hash === noted.hash ? noted : { revision: noted.revision + 1, hash }
}
