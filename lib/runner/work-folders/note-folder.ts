import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '#lib/files/make-folder.ts'
import { asStepUser } from '#lib/privileges/step-identity.ts'

/** The name of the working folder of a DAG; as in the SQL function `unused_folders`. */
export const folderName = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_')

/** Where this service notes which working folders it has made. Steps with a user of their own cannot write there. */
export const notesOf = (workDir: string): string => `${workDir}-made`

/**
 * Notes that the working folder of a DAG is used now, and is one that this service has made, if it makes it now. Only
 * such folders are removed; whatever else is next to them stays. A note that cannot be written is none.
 */
export function noteFolder(folder: string): void {
  const note = join(notesOf(dirname(folder)), basename(folder))
  try {
    const now = new Date()
    utimesSync(note, now, now)
  } catch {
    if (asStepUser(() => statSync(folder, { throwIfNoEntry: false })) === undefined) writeNote(note)
  }
}

function writeNote(note: string): void {
  try {
    makeFolder(dirname(note), 0o700)
    writeFileSync(note, '', { mode: 0o600 })
  } catch {
    // The run then fails for the same reason, or its folder stays.
  }
}
