import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildBundles, startBundle } from '#tests/support/built.ts'
import { testDatabase } from '#tests/support/database.ts'

const { url } = await testDatabase()
const { dist, empty } = buildBundles()
const modules = new URL('../../node_modules', import.meta.url).pathname

/** Packs the package and unpacks it below `node_modules`, its dependencies beside it, as npm does. */
function install(): { readonly folder: string; readonly files: readonly string[] } {
  const target = join(empty, 'node_modules')
  mkdirSync(target)
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', empty, dist], {
    encoding: 'utf8',
  })
  const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }]
  execFileSync('tar', ['-xzf', join(empty, filename), '-C', target])
  execFileSync('mv', [join(target, 'package'), join(target, 'millrace')])
  symlinkSync(join(modules, 'jq-web'), join(target, 'jq-web'))
  return { folder: join(target, 'millrace'), files: files.map(({ path }) => path) }
}

test(
  'the npm package holds what the command needs, and the command works',
  { timeout: 120_000 },
  async () => {
    const { folder, files } = install()
    const tops = new Set(files.map((path) => path.split('/')[0]))
    const parts = ['api', 'main', 'migrate', 'millrace', 'runner', 'tick']
    expect(tops).toEqual(new Set(['LICENSE', 'README.md', ...parts, 'package.json']))
    expect(files.filter((path) => /\.ts$|\.map$|node_modules|tests\//.test(path))).toEqual([])

    const settings = { DATABASE_URL: url, MILLRACE_DATA_DIR: empty, MILLRACE_PORT: '0' }
    const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      bin: { millrace: string }
    }
    const command = join(folder, bin.millrace)
    const start = (...args: string[]) => startBundle(command, settings, { args, cwd: empty })
    expect(await start('version').exit).toBe(0)
    const migrating = start('migrate')
    expect([await migrating.exit, migrating.output()]).toEqual([0, 'the database is up to date'])
    const up = start('up')
    const place = await up.says(/listens on (http:\S+?)\s/)
    const page = await fetch(`${place}/reference`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<div id="page"')
    const docs = await fetch(`${place}/docs/tutorial`)
    expect(await docs.text()).toContain('<h1 id="tutorial">')
    const own = { ...settings, MILLRACE_URL: place }
    const asked = startBundle(command, own, { args: ['start', 'hello', '--wait'], cwd: empty })
    expect([await asked.exit, asked.output()]).toEqual([0, expect.stringContaining('finished')])
    expect(await up.stop()).toBe(0)
  },
)

test('a Node that is too old, and Windows, are refused in one line that says what is needed', () => {
  const refusal = (what: string, value: object): { status: number | null; stderr: string } => {
    const pretend = `data:text/javascript,Object.defineProperty(process,"${what}",${JSON.stringify(value)})`
    const command = ['--import', pretend, join(dist, 'millrace/start-package.mjs'), 'version']
    const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
    return { status, stderr }
  }
  expect(refusal('versions', { value: { node: '20.9.0' } })).toEqual({
    status: 1,
    stderr: 'millrace: Millrace needs Node 22.19 or newer, and this is Node 20.9.0\n',
  })
  expect(refusal('platform', { value: 'win32' })).toEqual({
    status: 1,
    stderr: 'millrace: Millrace does not run on Windows: use WSL\n',
  })
})
