import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents. Node's `recursive` option never returns if a folder responds with ENOENT to every
 * new entry, as `/proc` does. Synchronous, because the folder usually exists, and a stat is faster than a request to
 * the thread pool.
 * @param mode of new folders, regardless of the umask; default: 0777 and the umask
 * @throws NodeJS.ErrnoException
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, mode)
    if (mode !== undefined) chmodSync(path, mode)
  } catch (error) {
    // Another process may have created it.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
