import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { buildBundles, startBundle } from '#tests/support/built.ts'

const api = await testApi()
const { dist, empty } = buildBundles('millrace', 'server', 'api', 'tick', 'runner', 'migrate')

/** The folder into which the package was installed: from its file alone, without scripts and without a registry. */
const installed = join(empty, 'installed')
mkdirSync(installed)
const npm = (...args: readonly string[]): string =>
  execFileSync('npm', args, { cwd: installed, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const [pack] = JSON.parse(npm('pack', dist, '--json')) as [{ filename: string; files: { path: string }[] }]
writeFileSync(join(installed, 'package.json'), '{"private": true}')
npm('install', pack.filename, '--offline', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund')
const command = join(installed, 'node_modules/millrace/millrace/index.mjs')

test('the package holds the bundles, what they read, and nothing of the sources', () => {
  const paths = pack.files.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'millrace/index.mjs']),
  )
  expect(paths.some((path) => path.startsWith('migrate/migrations/0001_'))).toBe(true)
  expect(paths.filter((path) => path.endsWith('.ts') || /\b(tests|lambda|\.ci)\b/.test(path))).toEqual([])
})

test('its command runs from where it is installed', () => {
  const bin = join(installed, 'node_modules/.bin/millrace')
  const env = { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), HOME: empty }
  writeFileSync(join(installed, 'a.yaml'), 'steps:\n  - echo plum\n')
  const run = (...args: readonly string[]) =>
    execFileSync(bin, args, { cwd: installed, env, encoding: 'utf8' })
  expect(run('version')).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(run('plan', 'a.yaml')).toContain('echo plum')
})

test('what it starts lies beside it: the whole service runs', async () => {
  const settings = {
    DATABASE_URL: api.database.url,
    MILLRACE_DATA_DIR: empty,
    MILLRACE_LOG_LEVEL: 'warn',
    MILLRACE_PORT: '0',
  }
  const service = startBundle(command, settings, { args: ['up'], cwd: empty })
  const url = await service.says(/listens on (http:\S+)/)
  await api.createDag('packed')
  const start = startBundle(
    command,
    { MILLRACE_URL: url },
    { args: ['start', 'packed', '--wait'], cwd: empty },
  )
  expect([await start.exit, start.output()]).toEqual([0, expect.any(String)])
  expect(await service.stop()).toBe(0)
})
