import { chmodSync, lstatSync, opendirSync, rmdirSync, unlinkSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Entries removed per turn of the event loop, which takes some milliseconds. */
const turnEntries = 200

/**
 * Removes a folder with its contents; links are not followed. Works synchronously in short turns, so that each turn can
 * run with the rights of another user.
 * @param as runs one turn with these rights
 * @param entriesMax gives up after this many entries; may be called again
 * @returns whether everything was removed
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
    // Another process is still writing into it.
    if ((error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return false
    throw error
  }
}
