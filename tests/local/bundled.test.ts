import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const root = new URL('../..', import.meta.url).pathname
const printed = async (...script: string[]): Promise<string> =>
  (await run(process.execPath, [...script, 'plan', 'local/dags/hello.yaml'], { cwd: root })).stdout

test('a bundle does what its sources do, also when several are made at once', async () => {
  const expected = await printed('local/millrace.ts')
  expect(expected).toContain('greet')
  const all = await Promise.all(Array.from({ length: 4 }, () => printed('local/bundled.mjs', 'millrace')))
  expect(new Set(all)).toEqual(new Set([expected]))
  const made = readdirSync(new URL('../../node_modules/.cache/millrace', import.meta.url))
  expect(made.some((name) => name.startsWith('millrace-'))).toBe(true)
  expect(made.filter((name) => name.startsWith('draft-'))).toEqual([])
})
