import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates the folder for all temporary files of this test run, and removes it when the process ends. Each test file has
 * its own folder in it (each-file.ts); the rest belongs to the run itself, such as Postgres. Its path is short, because
 * the path of a socket has at most 107 characters. Vitest reads its configuration once per project, and all projects
 * share one folder.
 */
export function makeRunFolder(): void {
  if (process.env['TESTS_FOLDER'] !== undefined) return
  const folder = mkdtempSync(join(tmpdir(), 'mt-'))
  // Postgres and steps may run as other users, who must be able to pass through it.
  chmodSync(folder, 0o711)
  process.env['TESTS_FOLDER'] = process.env['TMPDIR'] = folder
  process.once('exit', () => {
    const left = readdirSync(folder).filter((name) => name !== browsers)
    if (left.length > 0)
      process.stderr.write(`the test run left ${left.join(', ')} in its temporary folder\n`)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
}

const browsers = 'browsers'

/** The folder of browsers, which several test files share. They end with their worker, and leave their profiles. */
export const browsersFolder = (): string => join(process.env['TESTS_FOLDER'] ?? tmpdir(), browsers)

/** True if a test file that leaves something in its temporary folder fails; otherwise that is only reported. */
export const mustLeaveNothing = (): boolean => process.env['TESTS_LEAVE_NOTHING'] !== undefined
