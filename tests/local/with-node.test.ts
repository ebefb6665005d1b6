import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { processState } from '#local/postgres/process-state.ts'
import { until } from '#tests/support/until.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const top = new URL('../..', import.meta.url).pathname
const old =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.9.0"}})'

interface Launched {
  readonly launcher: ChildProcess
  readonly said: {
    readonly rest: string[]
    readonly pid: number
    readonly version: string
    readonly script: string
  }
}

/** Starts the launcher on this Node; `pretend` makes it believe that this Node is too old. */
async function launch(pretend: 'new' | 'old', args: readonly string[]): Promise<Launched> {
  const options = pretend === 'old' ? ['--import', old] : []
  const command = [...options, 'local/with-node.mjs', 'tests/support/launched.ts', ...args]
  const launcher = spawn(process.execPath, command, { cwd: top, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(launcher.stdout), 'line')) as [string]
  return { launcher, said: JSON.parse(line) as Launched['said'] }
}

test.each(['new', 'old'] as const)(
  'the launcher passes arguments and exit code through, on a Node that is %s',
  async (age) => {
    const { launcher, said } = await launch(age, ['exit 7', 'a b', '--x'])
    const [code] = (await once(launcher, 'exit')) as [number]
    expect(code).toBe(7)
    expect(said.rest).toEqual(['a b', '--x'])
    expect(said.script).toBe(`${top}tests/support/launched.ts`)
    expect(Number.parseInt(said.version, 10)).toBeGreaterThanOrEqual(22)
  },
)

test.each(['new', 'old'] as const)(
  'the launcher passes a signal on once, on a Node that is %s',
  async (age) => {
    const { launcher } = await launch(age, ['count signals'])
    launcher.kill('SIGTERM')
    const [code] = (await once(launcher, 'exit')) as [number]
    expect(code).toBe(41)
  },
)

test('a script killed by a signal gives an exit code above 128', async () => {
  const { launcher, said } = await launch('old', ['stay'])
  process.kill(said.pid, 'SIGKILL')
  const [code] = (await once(launcher, 'exit')) as [number]
  expect(code).toBeGreaterThan(128)
})

test('the script ends when the launcher is killed with SIGKILL', async () => {
  const { launcher, said } = await launch('old', ['stay'])
  expect(said.pid).not.toBe(launcher.pid)
  launcher.kill('SIGKILL')
  await until('the script ends with its launcher', () => processState(said.pid) !== 'running')
})

test.each(['new', 'old'] as const)(
  'a script of npm ends when npm signals only its shell, on a Node that is %s',
  async (age) => {
    const options = age === 'old' ? ['--import', old] : []
    const words = [process.execPath, ...options, 'local/with-node.mjs', 'tests/support/launched.ts', 'stay']
    const line = `${words.map((word) => `'${word}'`).join(' ')}; true`
    const env = { ...process.env, npm_lifecycle_event: 'start' }
    const shell = spawn('sh', ['-c', line], { cwd: top, env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = (await once(createInterface(shell.stdout), 'line')) as [string]
    const { pid } = JSON.parse(said) as Launched['said']
    shell.kill('SIGTERM')
    await until('the script ends', () => processState(pid) !== 'running')
  },
)

test('an old Node is refused in one line if the dependencies have no newer one', () => {
  const folder = temporaryFolder('millrace-launcher')
  for (const file of ['with-node', 'newer-node', 'hand-environment', 'needs-node'])
    cpSync(join(top, 'local', `${file}.mjs`), join(folder, `${file}.mjs`))
  const command = ['--import', old, join(folder, 'with-node.mjs'), 'local/millrace.ts', 'version']
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: top, encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^millrace: Millrace needs Node 22\.19 or newer, and this is Node 20\.9\.0; .*\n$/)
  expect(stderr).toContain('npm ci')
})
