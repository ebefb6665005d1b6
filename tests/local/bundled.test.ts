import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { failpoints } from '#lib/core/failpoint.ts'

const run = promisify(execFile)
const cache = new URL('../../node_modules/.cache/millrace/', import.meta.url)
const root = new URL('../..', import.meta.url).pathname
const printed = async (...script: string[]): Promise<string> =>
  (await run(process.execPath, [...script, 'plan', 'local/dags/hello.yaml'], { cwd: root })).stdout

test('a bundle behaves like its sources, even if several processes build it at once', async () => {
  const expected = await printed('local/millrace.ts')
  expect(expected).toContain('greet')
  const all = await Promise.all(Array.from({ length: 4 }, () => printed('local/bundled.mjs', 'millrace')))
  expect(new Set(all)).toEqual(new Set([expected]))
  const made = readdirSync(cache)
  expect(made.some((name) => name.startsWith('millrace-'))).toBe(true)
  expect(made.filter((name) => name.startsWith('draft-'))).toEqual([])
})

test.each(['runner', 'tick'])('the %s bundle contains no failpoints', async (part) => {
  // An invalid setting ends the process right after the bundle is built and loaded.
  const env = { ...process.env, DATABASE_URL: 'nowhere' }
  await run(process.execPath, ['local/bundled.mjs', part], { cwd: root, env }).catch(() => undefined)
  const [newest] = readdirSync(cache)
    .filter((name) => name.startsWith(`${part}-`))
    .map((name) => new URL(`${name}/`, cache))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  if (newest === undefined) throw new Error('there is no bundle')
  const text = readdirSync(newest).map((file) => readFileSync(new URL(file, newest), 'utf8'))
  const words = text.join('\n')
  // The code around them is there.
  expect(words).toContain(part === 'runner' ? 'runner lost' : 'the tick failed')
  expect(Object.keys(failpoints).filter((name) => words.includes(`"${name}"`))).toEqual([])
})

test('a bundle is reused until one of its sources changes', async () => {
  const { mtimeMs } = statSync(new URL('millrace.json', cache))
  await printed('local/bundled.mjs', 'millrace')
  expect(statSync(new URL('millrace.json', cache)).mtimeMs).toBe(mtimeMs)
  const now = new Date()
  utimesSync(join(root, 'local/millrace.ts'), now, now)
  await printed('local/bundled.mjs', 'millrace')
  expect(statSync(new URL('millrace.json', cache)).mtimeMs).toBeGreaterThan(mtimeMs)
})
