import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '#lib/files/make-folder.ts'
import { asStepUser } from '#lib/privileges/step-identity.ts'

/** The name of the working folder of a DAG; as in the SQL function `unused_folders`. */
export const folderName = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_')

/**
 * The folder with one empty file (a note) per working folder that this service created. Steps with their own user
 * cannot write there.
 */
export const notesOf = (workDir: string): string => `${workDir}-made`

/**
 * Updates the time of last use of a DAG's working folder. If the folder does not exist yet, first notes that this
 * service creates it: only noted folders are ever removed. Call it before creating the folder. Never throws.
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
    // The run then fails for the same reason, or its folder is never removed.
  }
}
