import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and its parents. Node's own `recursive` never returns where a folder answers ENOENT to every new
 * entry, as `/proc` does. Synchronous, because the folder nearly always exists, and looking is faster than a request to
 * the thread pool.
 * @throws NodeJS.ErrnoException
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Somebody else may have made it.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
