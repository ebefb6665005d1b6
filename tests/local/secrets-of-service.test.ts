import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { resolveStepUser } from '#lib/privileges/step-user.ts'
import { buildBundles } from '#tests/support/built.ts'
import { millrace } from '#tests/support/command-line.ts'
import { testApi } from '#tests/support/api.ts'
import { processesOn } from '#tests/support/server.ts'
import { spySpec } from '#tests/support/spy.ts'
import { until } from '#tests/support/until.ts'

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
if (!isRoot) console.error('SKIPPED: the tests of what a step can read of the service need root')
const top = new URL('../..', import.meta.url).pathname
vi.setConfig({ testTimeout: 120_000 })
/** A user id that no process on this machine uses. */
const ordinary = 23_400 + (process.pid % 100)
const marker = `S3CRET-${process.pid}`
const token = `${marker}-of-the-api`

const folder = mkdtempSync(join(tmpdir(), 'millrace-secrets-'))
chmodSync(folder, 0o711)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Service {
  readonly call: (method: string, path: string, body?: object) => Promise<{ [key: string]: never }>
  readonly output: () => string
}

/** Starts the service by a command, and waits until it listens. */
async function launch(
  [command = '', ...args]: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Service> {
  const env = { PATH: process.env['PATH'], MILLRACE_AUTH_TOKEN: token, MILLRACE_PORT: '0', ...settings }
  const child = spawn(command, args, { cwd: top, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'exit')
  let said = ''
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await exit
    await until('it has ended', () => processesOn(settings['MILLRACE_DATA_DIR'] ?? '').length === 0)
  })
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        said += `${line}\n`
        const found = /listens on (http:\S+)/.exec(line)?.[1]
        if (found !== undefined) resolve(found)
      })
    }
    child.once('exit', (code) => reject(new Error(`it ended with ${code}:\n${said}`)))
  })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    output: () => said,
    call: async (method, path, body) => {
      const given = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await fetch(`${url}/api/v2${path}`, { method, headers, ...given })
      return (await answer.json()) as { [key: string]: never }
    },
  }
}

/** What the hostile step found, and which descriptors a step has. */
async function spyOn({ call }: Service, dataDir: string) {
  await call('POST', '/dags', { name: 'spy', spec: spySpec(marker, dataDir) })
  const { dagRunId } = await call('POST', '/dags/spy/start', {})
  const path = `/dag-runs/spy/${String(dagRunId)}`
  await until('it has ended', async () => {
    const { dagRun } = (await call('GET', path)) as unknown as {
      dagRun: { finishedAt: string; status: number }
    }
    return dagRun.status !== 1 && dagRun.finishedAt !== ''
  })
  const linesOf = async (step: string): Promise<string[]> => {
    const { content } = (await call('GET', `${path}/steps/${step}/log`)) as unknown as { content: string }
    return content.trim().split('\n')
  }
  return { found: await linesOf('look'), descriptors: await linesOf('descriptors') }
}

function dataFolder(name: string, owner = 0): string {
  const path = join(folder, name)
  mkdirSync(path)
  chownSync(path, owner, owner)
  return path
}

const modes = (path: string, ...names: string[]): string[] =>
  names.map((name) => `${name} ${(statSync(join(path, name)).mode & 0o777).toString(8)}`)

test.skipIf(!isRoot)('a step finds no secret if root runs npm start with a step user', async () => {
  const data = dataFolder('root')
  const service = await launch(['npm', 'start'], { MILLRACE_DATA_DIR: data, MILLRACE_STEP_USER: 'nobody' })
  expect(await spyOn(service, data)).toEqual({ found: ['done'], descriptors: ['0', '1', '2', '3'] })
  expect(modes(data, '.', 'logs', 'postgres', 'work')).toEqual([
    '. 711',
    'logs 700',
    'postgres 700',
    'work 700',
  ])
})

test.skipIf(!isRoot).each(['this Node', 'an old Node'])(
  'a step finds no secret in any process if an ordinary user runs npm start on %s',
  async (age) => {
    const data = dataFolder(age.replaceAll(' ', '-'), ordinary)
    const home = dataFolder(`${age.replaceAll(' ', '-')}-home`, ordinary)
    const old =
      'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.9.0"}})'
    const as = ['setpriv', `--reuid=${ordinary}`, `--regid=${ordinary}`, '--clear-groups']
    const shell = `exec ${process.execPath} --import '${old}' local/with-node.mjs local/bundled.mjs main`
    const command = age === 'an old Node' ? ['sh', '-c', shell] : ['npm', 'start']
    const service = await launch([...as, ...command], { MILLRACE_DATA_DIR: data, HOME: home })
    const { found, descriptors } = await spyOn(service, data)
    // Files of its own user cannot be hidden from a step; docs/settings.md says so.
    expect(found.filter((line) => !line.endsWith('password of PostgreSQL'))).toEqual(['done'])
    expect(descriptors).toEqual(['0', '1', '2', '3'])
    expect(service.output()).not.toContain('setting.exposed')
    expect(modes(data, '.', 'logs', 'work')).toEqual(['. 700', 'logs 700', 'work 700'])
  },
)

test.skipIf(!isRoot)('a step finds no secret in the image, where the service is not root', async () => {
  const api = await testApi()
  const { dist } = buildBundles('main', 'runner')
  for (const path of [dist, dirname(dist)]) chmodSync(path, 0o755)
  const data = dataFolder('image', 10_001)
  const programs = dataFolder('programs')
  symlinkSync(process.execPath, join(programs, 'node'))
  const service = await launch([join(dist, 'start'), 'all'], {
    PATH: `${programs}${delimiter}${process.env['PATH']}`,
    HOME: data,
    DATABASE_URL: api.database.url,
    MILLRACE_HOST: '127.0.0.1',
    MILLRACE_DATA_DIR: data,
    MILLRACE_STEP_USER: 'nobody',
    MILLRACE_TICK_TOKEN: `${marker}-of-the-clock`,
  })
  expect(await spyOn(service, data)).toEqual({ found: ['done'], descriptors: ['0', '1', '2', '3'] })
  const users = processesOn(data).map((line) => statSync(`/proc/${line.split(' ')[0]}`).uid)
  expect(new Set(users)).not.toContain(0)
})

test.skipIf(!isRoot)('the log and the doctor name a parent process that exposes a secret', async () => {
  const data = dataFolder('shown')
  const line = 'npm start & child=$!; trap "kill $child" TERM; wait $child; wait $child'
  const service = await launch(['sh', '-c', line], { MILLRACE_DATA_DIR: data })
  const warning = await until('it is said', () => /^.*setting\.exposed.*$/m.exec(service.output())?.[0])
  expect(JSON.parse(warning)).toMatchObject({
    level: 'warn',
    program: 'sh',
    settings: ['MILLRACE_AUTH_TOKEN'],
  })
  const { stdout } = await millrace(['doctor'], { MILLRACE_DATA_DIR: data, MILLRACE_AUTH_TOKEN: token })
  expect(stdout).toMatch(
    /^warn +steps +process \d+ \(sh\) shows MILLRACE_AUTH_TOKEN to every step → set MILLRACE_STEP/m,
  )
})

test.skipIf(!isRoot).each([
  ['root', 'steps must not run as root'],
  ['0', 'steps must not run as root'],
  ['no-such-user', 'there is no such user in /etc/passwd; name it as uid:gid'],
])('the service does not start with MILLRACE_STEP_USER=%s', async (user, why) => {
  const starting = launch(['npm', 'start'], {
    MILLRACE_DATA_DIR: join(folder, 'none'),
    MILLRACE_STEP_USER: user,
  })
  await expect(starting).rejects.toThrow(`MILLRACE_STEP_USER=${user}: ${why}`)
})

test.skipIf(!isRoot)('the user of the embedded PostgreSQL is refused as step user', async () => {
  const data = dataFolder('postgres')
  await (await launch(['npm', 'start'], { MILLRACE_DATA_DIR: data })).call('GET', '/health')
  const { uid } = statSync(join(data, 'postgres'))
  const starting = launch(['npm', 'start'], { MILLRACE_DATA_DIR: data, MILLRACE_STEP_USER: `${uid}:${uid}` })
  await expect(starting).rejects.toThrow('the embedded PostgreSQL runs as this user')
})

test.skipIf(!isRoot)('a step user is refused if the service may not change users', () => {
  const code = `import { resolveStepUser } from '#lib/privileges/step-user.ts'
    try { resolveStepUser('nobody') } catch (error) { console.log(error.message) }`
  const args = ['--reuid=10001', '--clear-groups', process.execPath, '--input-type=module', '-e', code]
  const { stdout } = spawnSync('setpriv', args, { cwd: top, encoding: 'utf8' })
  expect(stdout).toContain('start it as root, or give it CAP_KILL, CAP_SETGID, CAP_SETUID')
  expect(() => resolveStepUser('10001:')).toThrow('no such user')
})
