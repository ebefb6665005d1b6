import { mkdtempSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asStepUser, stepUser } from '#lib/privileges/step-identity.ts'
import { startProcess } from './start-process.ts'

/** How the names of a runner's temporary folders begin: one for a script, or one for the files of a run. */
export const stepFolderPrefix = (kind: 'step' | 'run', owner: string): string => `${kind}-${owner}-`

/**
 * Makes a private temporary folder of the steps' user. Its name contains the runner, so that the folder can be removed
 * when the runner was killed.
 */
export function makeStepFolder(kind: 'step' | 'run', owner: string): string {
  return asStepUser(() => mkdtempSync(join(tmpdir(), stepFolderPrefix(kind, owner))))
}

/**
 * Removes a folder that steps could write to. With a step user, its own rights are used: otherwise links that a step
 * exchanges meanwhile could make the service remove something else.
 */
export async function removeStepFolder(folder: string): Promise<void> {
  if (stepUser() === undefined) return rm(folder, { recursive: true, force: true })
  try {
    asStepUser(() => removeFiles(folder))
  } catch {
    await removeTree(folder)
  }
}

/** A process costs more than a few files do, but a large tree would hold everybody up. */
const fewFiles = 20

/** @throws NodeJS.ErrnoException when the folder holds more than a few files */
function removeFiles(folder: string): void {
  for (const name of readdirSync(folder).slice(0, fewFiles)) unlinkSync(join(folder, name))
  rmdirSync(folder)
}

async function removeTree(folder: string): Promise<void> {
  const argv = ['rm', '-rf', '--', folder]
  const { stdout, stderr, ended } = await startProcess({ argv, workingDir: '/', env: {} })
  stdout.resume()
  stderr.resume()
  await ended
}
