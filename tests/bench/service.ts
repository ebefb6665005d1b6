import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'

/** A running service under test, spoken to over its REST API only. */
export interface Service {
  readonly name: string
  /** Milliseconds from its start until it was healthy. */
  readonly upMs: number
  get(path: string): Promise<{ status: number; body: unknown }>
  post(path: string, body: unknown): Promise<{ status: number; body: unknown }>
  /** Reads an answer to its end and does nothing with it. */
  read(path: string): Promise<void>
  /** CPU milliseconds of the service and all its children so far, ended ones included. */
  cpuMs(): Promise<number>
  /** Proportional memory of all its processes now, MiB. */
  memoryMiB(): Promise<number>
  stop(): Promise<void>
}

const top = new URL('../..', import.meta.url).pathname

/** Starts Millrace as a user would, with its embedded Postgres, on a fresh folder. */
export async function startMillrace(folder: string, port: number): Promise<Service> {
  const environment = { MILLRACE_PORT: String(port), MILLRACE_DATA_DIR: folder, MILLRACE_LOG_LEVEL: 'warn' }
  const command = [process.execPath, join(top, 'local/bundled.mjs'), 'main']
  return await started('millrace', command, { ...process.env, ...environment }, top, port)
}

/** Starts the peer's own binary with its defaults and local files, and one queue for the queue bench. */
export async function startPeer(binary: string, folder: string, port: number): Promise<Service> {
  await mkdir(join(folder, 'dags'), { recursive: true })
  const settings = [
    'host: 127.0.0.1',
    `port: ${port}`,
    'skipExamples: true',
    'auth: {mode: none}',
    `scheduler: {port: ${port + 10}}`,
    `coordinator: {host: 127.0.0.1, port: ${port + 20}}`,
  ]
  await writeFile(join(folder, 'config.yaml'), `${settings.join('\n')}\n`)
  const environment = { PATH: process.env['PATH'], HOME: folder, DAGU_HOME: folder, TZ: 'UTC' }
  return await started('dagu', [binary, 'start-all'], environment, folder, port)
}

async function started(
  name: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  port: number,
): Promise<Service> {
  const [program = '', ...args] = command
  const group = await controlGroup(`millrace-bench-${name}-${port}`)
  const begun = performance.now()
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ['ignore', 'ignore', name === 'millrace' ? 'inherit' : 'ignore'],
    detached: true,
  })
  await group?.adopt(child.pid ?? 0)
  const agent = new Agent({ connections: 64 })
  const call = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const options = { method, dispatcher: agent, headers: { 'content-type': 'application/json' } } as const
    const payload = body === undefined ? {} : { body: JSON.stringify(body) }
    const reply = await request(`http://127.0.0.1:${port}/api/v2${path}`, { ...options, ...payload })
    const text = await reply.body.text()
    return { status: reply.statusCode, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
  }
  await healthy(child, () => call('GET', '/health'))
  const upMs = performance.now() - begun
  return {
    name,
    upMs,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    read: async (path) => {
      const reply = await request(`http://127.0.0.1:${port}/api/v2${path}`, { dispatcher: agent })
      if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode}`)
      await reply.body.arrayBuffer()
    },
    cpuMs: async () => (await group?.cpuMs()) ?? Number.NaN,
    memoryMiB: async () => (await group?.memoryMiB()) ?? Number.NaN,
    stop: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      await agent.destroy()
    },
  }
}

async function healthy(child: ChildProcess, ask: () => Promise<{ status: number }>): Promise<void> {
  for (let left = 12_000; left > 0; left--) {
    if (child.exitCode !== null) throw new Error(`the service ended with exit code ${child.exitCode}`)
    const answer = await ask().catch(() => undefined)
    if (answer?.status === 200) return
    await sleep(5)
  }
  throw new Error('the service was not healthy within 60 s')
}

/** A control group counts the CPU of ended children too; without one (not root, no cgroup v1) figures are left out. */
async function controlGroup(name: string) {
  const folder = `/sys/fs/cgroup/cpuacct/${name}`
  try {
    await mkdir(folder, { recursive: true })
  } catch {
    return undefined
  }
  return {
    adopt: (pid: number) => writeFile(join(folder, 'cgroup.procs'), String(pid)),
    cpuMs: async () => Number(await readFile(join(folder, 'cpuacct.usage'), 'utf8')) / 1e6,
    memoryMiB: async () => {
      const pids = (await readFile(join(folder, 'cgroup.procs'), 'utf8'))
        .split('\n')
        .filter((pid) => pid !== '')
      const sizes = await Promise.all(
        pids.map(async (pid) => {
          const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
          return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024
        }),
      )
      return sizes.reduce((sum, size) => sum + size, 0)
    },
  }
}
