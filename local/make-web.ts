// Builds the web page for local/bundled.mjs. The manifest follows the files it lists.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWeb } from './bundle-web.ts'
import { bundleDocs } from './docs/bundle-docs.ts'

const folder = new URL('../web/built/', import.meta.url)
const assets = new URL('assets/', folder)
/** Open browser tabs still load chunks of the build they started with. */
const keepMs = 90 * 86_400_000

function write(name: string, contents: Uint8Array | string): void {
  const url = new URL(name, folder)
  const draft = new URL(`${name}.${process.pid}.draft`, folder)
  mkdirSync(dirname(fileURLToPath(url)), { recursive: true })
  writeFileSync(draft, contents)
  renameSync(draft, url)
}

const { files, inputs } = await bundleWeb()
for (const [name, contents] of files) write(name, contents)
// Dead links fail `npm run docs`, but must not stop a service from starting.
const docs = await bundleDocs()
for (const [name, contents] of docs.files) write(`docs/${name}`, contents)
for (const name of readdirSync(assets)) {
  const old = new URL(name, assets)
  if (Date.now() - statSync(old).mtimeMs > keepMs) rmSync(old, { recursive: true, force: true })
}
const makers = ['bundle-web.ts', 'make-web.ts'].map((name) => fileURLToPath(new URL(name, import.meta.url)))
const states = [...inputs, ...docs.inputs, ...makers].map((path) => {
  const { mtimeMs, size } = statSync(path)
  return [path, mtimeMs, size]
})
write('inputs.json', JSON.stringify({ inputs: states }))
