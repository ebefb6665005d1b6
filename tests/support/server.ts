import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'

/** The local server as a user starts it, called over HTTP. */
export interface Server {
  readonly url: string
  readonly pid: number
  readonly folder: string
  /** What it has written so far to both streams. */
  output(): string
  get(path: string): Promise<{ status: number; body: unknown }>
  post(path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  /** Sends SIGTERM. @returns the exit code */
  stop(): Promise<number>
  /** Kills only the main process with SIGKILL. */
  kill(): Promise<void>
}

const top = new URL('../..', import.meta.url).pathname

/** A folder for the data of one server; `remove` deletes it once no process uses it any more. */
export function dataFolder(): { readonly path: string; remove(): Promise<void> } {
  const path = temporaryFolder('millrace-server')
  chmodSync(path, 0o711)
  return {
    path,
    async remove() {
      await until(`no process uses ${path}`, () => processesOn(path).length === 0)
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/**
 * Processes, except for zombies, whose command line or environment contains the folder: server, runner, warden,
 * Postgres.
 */
export function processesOn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
        return command !== '' && (command + environment).includes(folder) ? [`${pid} ${command}`] : []
      } catch {
        return []
      }
    })
}

/** Starts a server on a free port and waits until it says where it listens. */
export async function startServer(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const environment = { ...process.env, MILLRACE_PORT: '0', MILLRACE_DATA_DIR: folder, ...settings }
  const child = spawn(process.execPath, ['local/bundled.mjs', 'main'], {
    cwd: top,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const url = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        said += `${line}\n`
        const found = /listens on (http:\S+)/.exec(line)?.[1]
        if (found !== undefined) resolve(found)
      })
    }
    child.once('exit', (code) => {
      reject(new Error(`the server ended with ${code}:\n${said}`))
    })
  })
  const exit = once(child, 'exit') as Promise<[number | null]>
  const address = await url
  const call = async (method: string, path: string, body?: unknown) => {
    const payload = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${address}/api/v2${path}`, { method, headers, ...payload })
    const text = await reply.text()
    const json = reply.headers.get('content-type')?.includes('json') === true
    return { status: reply.status, body: json ? (JSON.parse(text) as unknown) : text }
  }
  return {
    url: address,
    pid: child.pid ?? 0,
    folder,
    output: () => said,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body ?? {}),
    async stop() {
      child.kill('SIGTERM')
      const [code] = await exit
      return code ?? -1
    },
    async kill() {
      child.kill('SIGKILL')
      await exit
    },
  }
}
