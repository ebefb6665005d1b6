import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and its parents. Node's own `recursive` never returns where a folder answers ENOENT to every new
 * entry, as `/proc` does. Synchronous, because the folder nearly always exists, and looking is faster than a request to
 * the thread pool.
 * @param mode of what is made, whatever the umask is; default: by the umask
 * @throws NodeJS.ErrnoException
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, mode)
    if (mode !== undefined) chmodSync(path, mode)
  } catch (error) {
    // Somebody else may have made it.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
