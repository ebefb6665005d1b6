import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
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
  for (const name of ['jq-web', 'swagger-ui-dist']) symlinkSync(join(modules, name), join(target, name))
  return { folder: join(target, 'millrace'), files: files.map(({ path }) => path) }
}

test('the npm package holds what the command needs, and the command works from it', async () => {
  const { folder, files } = install()
  const tops = new Set(files.map((path) => path.split('/')[0]))
  const parts = ['api', 'main', 'migrate', 'millrace', 'runner', 'tick']
  expect(tops).toEqual(new Set(['LICENSE', 'README.md', ...parts, 'package.json']))
  expect(files.filter((path) => /\.ts$|\.map$|node_modules|tests\//.test(path))).toEqual([])

  const settings = { DATABASE_URL: url, MILLRACE_DATA_DIR: empty, MILLRACE_PORT: '0' }
  const command = join(folder, 'millrace/index.mjs')
  const start = (...args: string[]) => startBundle(command, settings, { args, cwd: empty })
  expect(await start('version').exit).toBe(0)
  const migrating = start('migrate')
  expect([await migrating.exit, migrating.output()]).toEqual([0, 'the database is up to date'])
  const up = start('up')
  const place = await up.says(/listens on (http:\S+?)\s/)
  const page = await fetch(`${place}/api/docs/swagger-ui.css`)
  expect(page.status).toBe(200)
  await page.body?.cancel()
  const own = { ...settings, MILLRACE_URL: place }
  const asked = startBundle(command, own, { args: ['start', 'hello', '--wait'], cwd: empty })
  expect([await asked.exit, asked.output()]).toEqual([0, expect.stringContaining('finished')])
  expect(await up.stop()).toBe(0)
})
