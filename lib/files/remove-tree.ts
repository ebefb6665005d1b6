import { chmodSync, lstatSync, opendirSync, rmdirSync, unlinkSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Entries that are removed in one turn of the event loop, some milliseconds. */
const turnEntries = 200

/**
 * Removes a folder with everything in it, a link as a link. Synchronous in short turns, so that each may have the
 * rights of somebody else.
 * @param as does a piece of the work by these rights
 * @param entriesMax after so many entries it gives up, and may be called again
 * @returns whether all is gone
 * @throws NodeJS.ErrnoException
 */
export async function removeTree(
  path: string,
  as: <T>(work: () => T) => T,
  entriesMax: number,
): Promise<boolean> {
  for (let done = 0; done < entriesMax; done += turnEntries) {
    if (as(() => removeSome(path, { left: turnEntries }))) return true
    await nextTurn()
  }
  return false
}

function removeSome(path: string, budget: { left: number }): boolean {
  budget.left--
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return true
  if (!found.isDirectory()) {
    unlinkSync(path)
    return true
  }
  if ((found.mode & 0o700) !== 0o700) chmodSync(path, 0o700)
  const open = opendirSync(path)
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      if (budget.left <= 0 || !removeSome(`${path}/${entry.name}`, budget)) return false
    }
  } finally {
    open.closeSync()
  }
  return removeFolder(path)
}

function removeFolder(path: string): boolean {
  try {
    rmdirSync(path)
    return true
  } catch (error) {
    // Somebody still writes in it.
    if ((error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return false
    throw error
  }
}
