/**
 * `npm run mutation -- [GLOB…]` makes small changes to the committed code of the pure parts, one at a time, and counts
 * the changes that a test notices. Fails below 80 %. It works in a copy, where it installs Stryker for itself; the
 * engine takes about 20 minutes on two cores, the definition longer.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = new URL('../..', import.meta.url).pathname
const everything = ['lib/engine/**/*.ts', 'lib/definition/**/*.ts', '!lib/definition/definition.ts']
/** Texts for users: changing a word is not a fault. */
const texts = '!lib/definition/schema/descriptions.ts'
const stryker = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1']

const asked = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'millrace-mutation-'))
const run = (program: string, args: readonly string[]): void => {
  execFileSync(program, args, { cwd: folder, stdio: 'inherit' })
}
try {
  run('git', ['clone', '--quiet', root, '.'])
  run('npm', ['ci', '--ignore-scripts'])
  run('npm', ['install', '--no-save', '--ignore-scripts', ...stryker])
  const mutate = [...(asked.length > 0 ? asked : everything), texts].join(',')
  const program = 'node_modules/@stryker-mutator/core/bin/stryker.js'
  run(process.execPath, [program, 'run', 'tests/mutation/stryker.json', '--mutate', mutate])
} catch {
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
