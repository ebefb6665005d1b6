import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'

/**
 * Makes a folder and its parents. Looks first, since the folder nearly always exists, and looking is faster than a
 * request to the thread pool.
 * @throws NodeJS.ErrnoException
 */
export async function makeFolder(path: string): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  await mkdir(path, { recursive: true })
}
