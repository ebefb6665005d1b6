import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const top = new URL('../..', import.meta.url).pathname
const clients = ['ssh2', 'dockerode', 'nodemailer', 'undici', 'jq-web']

/** Modules that a part has loaded when it is ready to work: CommonJS ones by their cache, others by a hook. */
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
  '%s starts without any client of an executor',
  (entry) => {
    const loaded = loadedBy(entry)
    expect(loaded.length).toBeGreaterThan(20)
    const early = loaded.filter((path) => clients.some((client) => path.includes(`/node_modules/${client}/`)))
    expect(early).toEqual([])
  },
)

test('the executor that is asked for loads its client', () => {
  const loaded = loadedBy('#lib/executors/ssh/run.ts')
  expect(loaded.some((path) => path.includes('/node_modules/ssh2/'))).toBe(true)
})
