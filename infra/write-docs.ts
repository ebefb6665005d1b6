/**
 * `npm run docs`: builds the documentation site in `dist/docs`, as static files for any web server. Exits with code 1
 * if a link is dead.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleDocs } from '../local/docs/bundle-docs.ts'

const options = { to: { type: 'string', default: resolve(import.meta.dirname, '../dist/docs') } } as const
const target = resolve(parseArgs({ options }).values.to)
const { files, faults } = await bundleDocs()
for (const fault of faults) console.error(fault)
rmSync(target, { recursive: true, force: true })
for (const [name, contents] of files) {
  mkdirSync(dirname(join(target, name)), { recursive: true })
  writeFileSync(join(target, name), contents)
}
const bytes = [...files.values()].reduce((sum, contents) => sum + contents.length, 0)
console.log(`${files.size} files, ${Math.round(bytes / 1024)} KiB, in ${target}`)
if (faults.length > 0) process.exitCode = 1
