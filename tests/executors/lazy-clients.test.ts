import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const top = new URL('../..', import.meta.url).pathname
const clients = ['ssh2', 'dockerode', 'nodemailer', 'undici', 'jq-web']

/** The modules that importing an entry point loads: CommonJS ones from their cache, others through a hook. */
function loadedBy(entry: string): string[] {
  const program = `
    import { createRequire, registerHooks } from 'node:module'
    const seen = new Set(Object.keys(createRequire(import.meta.url).cache))
    registerHooks({ load: (url, context, next) => (seen.add(url), next(url, context)) })
    await import('${entry}')
    for (const path of Object.keys(createRequire(import.meta.url).cache)) seen.add(path)
    console.log(JSON.stringify([...seen]))`
  const args = ['--input-type=module', '-e', program]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: top, encoding: 'utf8' })) as string[]
}

test.each(['#functions/runner/index.ts', '#functions/api/index.ts', '#functions/tick/index.ts'])(
  '%s loads no client library of an executor at start',
  (entry) => {
    const loaded = loadedBy(entry)
    expect(loaded.length).toBeGreaterThan(20)
    const early = loaded.filter((path) => clients.some((client) => path.includes(`/node_modules/${client}/`)))
    expect(early).toEqual([])
  },
)

test('an executor loads its client library on demand', () => {
  const loaded = loadedBy('#lib/executors/ssh/run.ts')
  expect(loaded.some((path) => path.includes('/node_modules/ssh2/'))).toBe(true)
})
