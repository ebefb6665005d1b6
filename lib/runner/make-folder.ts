import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'

/**
 * Makes a folder and those above it. Nearly always it is there, and to look is done sooner than the thread pool takes
 * the order to make it.
 * @throws NodeJS.ErrnoException
 */
export async function makeFolder(path: string): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  await mkdir(path, { recursive: true })
}
