import { randomUUID } from 'node:crypto'
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '#lib/db/errors.ts'
import { removeTree } from '#lib/files/remove-tree.ts'
import { asStepUser } from '#lib/privileges/step-identity.ts'
import { notesOf } from './note-folder.ts'

export interface FolderSweep {
  readonly workDir: string
  /** Returns those of the names that belong to no DAG and no run. */
  readonly unused: (names: readonly string[]) => Promise<readonly string[]>
  /** Folders used within this time are kept, milliseconds. */
  readonly idleMs: number
  readonly onFailure: (folder: string, error: unknown) => void
}

const batch = 500
/** Maximum number of folders per sweep, and of entries removed per folder. */
const foldersMax = 1_000
const entriesMax = 1_000_000

/** Longer than the name of any DAG, so no working folder has such a name. */
const removedPattern = /^_removed-[0-9a-f-]{36}$/

/**
 * Removes working folders that this service created and that belong to no DAG and no run any more. A folder is renamed
 * first. If a run has noted it meanwhile, the rename is undone in the same turn of the event loop, so before that run
 * can start a step.
 * @returns the number of removed folders
 * @throws any error of `unused`
 */
export async function sweepFolders({ workDir, unused, idleMs, onFailure }: FolderSweep): Promise<number> {
  const notes = notesOf(workDir)
  const before = Date.now() - idleMs
  const idle = listNames(notes).filter((name) => (usedAt(join(notes, name)) ?? Infinity) < before)
  let count = 0
  for (let at = 0; at < idle.length && count < foldersMax; at += batch) {
    for (const name of await unused(idle.slice(at, at + batch))) {
      try {
        if (moveAside(workDir, name, before)) count++
      } catch (error) {
        onFailure(join(workDir, name), error)
      }
    }
  }
  for (const name of asStepUser(() => listNames(workDir)).filter((one) => removedPattern.test(one))) {
    const folder = join(workDir, name)
    await removeTree(folder, asStepUser, entriesMax).catch((error: unknown) => onFailure(folder, error))
  }
  return count
}

function moveAside(workDir: string, name: string, before: number): boolean {
  const [folder, note] = [join(workDir, name), join(notesOf(workDir), name)]
  const aside = join(workDir, `_removed-${randomUUID()}`)
  const isThere = asStepUser(() => renamed(folder, aside))
  if ((usedAt(note) ?? Infinity) >= before) {
    if (isThere) asStepUser(() => renamed(aside, folder))
    return false
  }
  rmSync(note, { force: true })
  return isThere
}

/** Returns false if `from` does not exist or `to` is taken. */
function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) return false
    throw error
  }
}

const usedAt = (note: string): number | undefined => statSync(note, { throwIfNoEntry: false })?.mtimeMs

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
