import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect } from 'vitest'
import { mustLeaveNothing } from './run-folder.ts'
import { removeTemporaryFolders } from './temporary-folder.ts'

/** Each file of tests has a folder for temporary files, which must be empty at its end. */
const folder = mkdtempSync(join(process.env['TESTS_FOLDER'] ?? '/tmp', 'f-'))
// Like /tmp: steps may have a user of their own.
chmodSync(folder, 0o1777)
process.env['TMPDIR'] = folder

/** How long processes that were asked to end, such as a warden, may need for that. Milliseconds. */
const patienceMs = 5_000

/** Without what npm and testcontainers keep for their next start. */
const leftBehind = (): string[] =>
  readdirSync(folder).filter((name) => !/^(node-compile-cache|testcontainers-node-\d+\.lock)$/.test(name))

// The first to be registered, so it comes after whatever else ends at the end of the file.
afterAll(async () => {
  removeTemporaryFolders()
  for (let waited = 0; waited < patienceMs && leftBehind().length > 0; waited += 50) await sleep(50)
  const left = leftBehind()
  rmSync(folder, { recursive: true, force: true })
  if (left.length === 0) return
  const text = `${expect.getState().testPath} left ${left.join(', ')} in the temporary folder`
  if (mustLeaveNothing()) throw new Error(text)
  process.stderr.write(`${text}\n`)
})
