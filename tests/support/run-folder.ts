import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes the folder for all temporary files of this test run, and removes it when the process ends. A file of tests has
 * a folder of its own in it ({@link import('./each-file.ts')}); the rest is what the run itself needs, such as
 * Postgres. Its path is short, because a path of a socket has 107 characters at most. Vitest reads its configuration
 * once for each project: one folder is for all.
 */
export function makeRunFolder(): void {
  if (process.env['TESTS_FOLDER'] !== undefined) return
  const folder = mkdtempSync(join(tmpdir(), 'mt-'))
  // Postgres and steps may have users of their own, who pass through it.
  chmodSync(folder, 0o711)
  process.env['TESTS_FOLDER'] = process.env['TMPDIR'] = folder
  process.once('exit', () => {
    const left = readdirSync(folder)
    if (left.length > 0) reportLeft(`the test run left ${left.join(', ')} in its temporary folder`)
    rmSync(folder, { recursive: true, force: true })
  })
}

/** What tests leave in the temporary folder fails a run that sets this variable; any other run only reports it. */
export const mustLeaveNothing = (): boolean => process.env['TESTS_LEAVE_NOTHING'] !== undefined

function reportLeft(text: string): void {
  process.stderr.write(`${text}\n`)
  if (mustLeaveNothing()) process.exitCode = 1
}
