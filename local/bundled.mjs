// Runs a part of the service (`main`, `api`, `tick`, `runner` …) as one bundled file, which starts much faster
// than the sources, needs a third of the memory, and therefore forks faster. The bundle is rebuilt when a source
// changes. Where bundling is impossible, the sources are run directly.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const cache = new URL('../node_modules/.cache/millrace/', import.meta.url)
const webInputs = new URL('../web/built/inputs.json', import.meta.url)

const isStale = ([path, mtimeMs, size]) => {
  const now = statSync(path)
  return now.mtimeMs !== mtimeMs || now.size !== size
}

/** The bundle of the last start, if none of its sources has changed since. */
function lastBundle(part) {
  try {
    const { folder, inputs } = JSON.parse(readFileSync(new URL(`${part}.json`, cache), 'utf8'))
    if (inputs.some(isStale)) return undefined
    const entry = new URL(`${folder}/${part}.mjs`, cache)
    const now = new Date()
    utimesSync(new URL(`${folder}/`, cache), now, now)
    return existsSync(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

/** Bundles in another process; in this one, its memory would stay allocated for as long as the part runs. */
function make(script, ...args) {
  const maker = fileURLToPath(new URL(script, import.meta.url))
  spawnSync(process.execPath, [maker, ...args], { stdio: 'ignore' })
}

function makeBundle(part) {
  make('make-bundle.ts', part)
  return lastBundle(part)
}

/** Builds the web page, which the API serves from disk, unless it is current. */
function makePage() {
  try {
    if (!JSON.parse(readFileSync(webInputs, 'utf8')).inputs.some(isStale)) return
  } catch {}
  make('make-web.ts')
}

const [part = ''] = process.argv.splice(2, 1)
if (part === 'main' || part === 'api') makePage()
await import(lastBundle(part) ?? makeBundle(part) ?? new URL(`${part}.ts`, import.meta.url))
