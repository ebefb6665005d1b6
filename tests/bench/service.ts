import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { connect } from '#lib/db/client.ts'
import { migrate } from '#lib/db/migrate.ts'
import { startPostgres } from '#local/postgres/start-postgres.ts'
import { controlGroup, type ControlGroup, type Memory } from './control-group.ts'

/** A running service under test, spoken to over its REST API only. */
export interface Service {
  readonly name: string
  /** Milliseconds from its start until it was healthy. */
  readonly upMs: number
  get(path: string): Promise<{ status: number; body: unknown }>
  post(path: string, body: unknown): Promise<{ status: number; body: unknown }>
  /** Reads a response to its end and discards it. @returns its length in bytes */
  read(path: string): Promise<number>
  /** CPU milliseconds of the service and all its children so far, including ended ones. */
  cpuMs(): Promise<number>
  memory(): Promise<Memory>
  stop(): Promise<void>
}

/** The queue of the bench, the same in every system. */
export const queue = { name: 'bench', slots: 10 } as const

const top = new URL('../..', import.meta.url).pathname
const { scripts } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
  scripts: Record<'start' | 'api' | 'tick' | 'runner', string>
}
/** The command of an npm script, to be run in the top folder. */
export const scriptOf = (name: keyof typeof scripts, ...more: readonly string[]): string[] => [
  process.execPath,
  ...scripts[name].split(' ').slice(1),
  ...more,
]

function environmentOf(folder: string, port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    MILLRACE_PORT: String(port),
    MILLRACE_DATA_DIR: folder,
    MILLRACE_LOG_LEVEL: 'warn',
    MILLRACE_QUEUES: `${queue.name}=${queue.slots}`,
  }
}

/** Starts Millrace as a user would, with its embedded Postgres, on a fresh folder. */
export async function startMillrace(folder: string, port: number): Promise<Service> {
  const system = {
    name: 'millrace',
    commands: [scriptOf('start')],
    env: environmentOf(folder, port),
    cwd: top,
  }
  return await started(system, port, await controlGroup(`millrace-bench-${port}`))
}

/** Starts a PostgreSQL server, and an API, a tick and this many runners as separate processes on it. */
export async function startServed(folder: string, port: number, runners: number): Promise<Service> {
  const group = await controlGroup(`millrace-bench-${port}`)
  const postgres = await startPostgres({ folder, durable: true })
  await group?.adopt(postgres.pid)
  const env = {
    ...environmentOf(folder, port),
    DATABASE_URL: postgres.url,
    MILLRACE_LOG_STORE: 'postgres:',
  }
  const db = connect(postgres.url, { max: 1, applicationName: 'millrace-bench' })
  await migrate(db)
  await db.close()
  const commands = [
    scriptOf('api'),
    scriptOf('tick', '--watch'),
    ...Array.from({ length: runners }, () => scriptOf('runner')),
  ]
  const service = await started({ name: `${runners} runners`, commands, env, cwd: top }, port, group)
  const stop = async (): Promise<void> => {
    await service.stop()
    await postgres.close()
  }
  return { ...service, stop }
}

/** Starts the peer's own binary with its defaults and local files, and the queue of the bench. */
export async function startPeer(binary: string, folder: string, port: number): Promise<Service> {
  await mkdir(join(folder, 'dags'), { recursive: true })
  const settings = [
    'host: 127.0.0.1',
    `port: ${port}`,
    'skipExamples: true',
    'auth: {mode: none}',
    `scheduler: {port: ${port + 10}}`,
    `coordinator: {host: 127.0.0.1, port: ${port + 20}}`,
    `queues: {enabled: true, config: [{name: ${queue.name}, maxConcurrency: ${queue.slots}}]}`,
  ]
  await writeFile(join(folder, 'config.yaml'), `${settings.join('\n')}\n`)
  const env = { PATH: process.env['PATH'], HOME: folder, DAGU_HOME: folder, TZ: 'UTC' }
  const system = { name: 'dagu', commands: [[binary, 'start-all']], env, cwd: folder }
  return await started(system, port, await controlGroup(`millrace-bench-${port}`))
}

/** A system under test. The first of its processes answers requests. */
interface System {
  readonly name: string
  readonly commands: readonly (readonly string[])[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

async function started(
  { name, commands, env, cwd }: System,
  port: number,
  group: ControlGroup | undefined,
): Promise<Service> {
  const begun = performance.now()
  const stdio = ['ignore', 'ignore', name === 'dagu' ? 'ignore' : 'inherit'] as const
  const processes: ChildProcess[] = []
  for (const [program = '', ...args] of commands) {
    const child = spawn(program, args, { cwd, env, stdio: [...stdio], detached: true })
    processes.push(child)
    await group?.adopt(child.pid ?? 0)
  }
  const agent = new Agent({ connections: 64 })
  const call = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const options = { method, dispatcher: agent, headers: { 'content-type': 'application/json' } } as const
    const payload = body === undefined ? {} : { body: JSON.stringify(body) }
    const reply = await request(`http://127.0.0.1:${port}/api/v2${path}`, { ...options, ...payload })
    const text = await reply.body.text()
    return { status: reply.statusCode, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
  }
  await healthy(processes, () => call('GET', '/health'))
  const upMs = performance.now() - begun
  return {
    name,
    upMs,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    read: async (path) => {
      const reply = await request(`http://127.0.0.1:${port}/api/v2${path}`, { dispatcher: agent })
      if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode}`)
      return (await reply.body.arrayBuffer()).byteLength
    },
    cpuMs: async () => (await group?.cpuMs()) ?? Number.NaN,
    memory: async () => (await group?.memory()) ?? { all: Number.NaN, service: Number.NaN },
    stop: async () => {
      const gone = processes.filter((child) => child.exitCode === null).map((child) => once(child, 'exit'))
      for (const child of processes) child.kill('SIGTERM')
      await Promise.all(gone)
      await agent.destroy()
    },
  }
}

async function healthy(
  processes: readonly ChildProcess[],
  ask: () => Promise<{ status: number }>,
): Promise<void> {
  for (let left = 12_000; left > 0; left--) {
    const ended = processes.find((child) => child.exitCode !== null)
    if (ended !== undefined) throw new Error(`the service ended with exit code ${ended.exitCode}`)
    const answer = await ask().catch(() => undefined)
    if (answer?.status === 200) return
    await sleep(5)
  }
  throw new Error('the service was not healthy within 60 s')
}
