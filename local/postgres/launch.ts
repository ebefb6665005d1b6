import { closeSync, ftruncateSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { readPostmaster } from './postmaster-file.ts'
import { startAs } from './run-as.ts'
import { freePort } from './free-port.ts'

const logBytesMax = 10_000_000

const always = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=512MB',
  'io_method=sync',
  'jit=off',
  // A new table has no statistics, and plans made without them stay until autovacuum has created some.
  'autovacuum_naptime=10s',
  'log_min_messages=error',
]

const throwAway = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off']

/**
 * Starts a server and waits until it accepts connections, recovery included.
 * @returns its pid and port, or its log output if it ended instead
 */
export async function launch(
  cluster: Cluster,
  options: { readonly durable: boolean; readonly port: number | undefined },
): Promise<{ pid: number; port: number } | { failure: string }> {
  const port = options.port ?? (await freePort())
  const settings = [...always, ...(options.durable ? [] : throwAway), `port=${port}`].flatMap((text) => [
    '-c',
    text,
  ])
  const log = join(cluster.folder, 'server.log')
  const descriptor = openSync(log, 'a', 0o600)
  if (fstatSync(descriptor).size > logBytesMax) ftruncateSync(descriptor)
  const begin = fstatSync(descriptor).size
  const program = cluster.way.binaries().postgres
  const stdio = ['ignore', descriptor, descriptor] as const
  const args = ['-D', cluster.dataFolder, ...settings]
  const child = startAs(cluster.way, program, args, { cwd: cluster.folder, stdio: [...stdio] })
  closeSync(descriptor)
  const end: { why?: string } = {}
  child.once('error', (error) => (end.why = error.message))
  child.once('exit', (code, signal) => (end.why = `it ended with ${code ?? signal}`))
  child.unref()
  while (end.why === undefined) {
    const now = readPostmaster(cluster.dataFolder)
    if (now.state === 'ready' && now.pid === child.pid) {
      writeFileSync(join(cluster.folder, 'port'), String(now.port))
      return { pid: now.pid, port: now.port }
    }
    await sleep(10)
  }
  return { failure: `${readFileSync(log).subarray(begin).toString().trim()} (${end.why})` }
}

/** The port of the previous server, reused so that a URL a user noted stays valid. */
export function lastPort(cluster: Cluster): number | undefined {
  try {
    return Number(readFileSync(join(cluster.folder, 'port'), 'utf8')) || undefined
  } catch {
    return undefined
  }
}
