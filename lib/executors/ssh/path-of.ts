import { closeSync, constants, readFile } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { openAsStepUser, stepHome } from '#lib/privileges/step-identity.ts'

/** Resolves a path of a step: `~/` is the home of the user that runs it; relative paths start at `folder`. */
export function pathOf(path: string, folder: string): string {
  return path.startsWith('~/') ? join(stepHome(), path.slice(2)) : resolve(folder, path)
}

const readOpened = promisify(readFile)

/**
 * Reads a file of a step by the rights of the step.
 * @throws NodeJS.ErrnoException
 */
export async function readTextOf(path: string, folder: string): Promise<string> {
  const file = openAsStepUser(pathOf(path, folder), constants.O_RDONLY)
  try {
    return await readOpened(file, 'utf8')
  } finally {
    closeSync(file)
  }
}
