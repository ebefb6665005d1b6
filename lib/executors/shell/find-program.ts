import { accessSync, constants as modes, statSync } from 'node:fs'
import { join } from 'node:path'

/** Searches for a program as execvp(3) does, but along the PATH of the new process. */
export function findProgram(name: string, path = '/usr/local/bin:/bin:/usr/bin'): string | undefined {
  if (name.includes('/')) return name
  return path
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    // Looked at first, since it is missing in most folders, and `accessSync` can only throw.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false
    accessSync(file, modes.X_OK)
    return true
  } catch {
    return false
  }
}
