import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './until.ts'

const program = '/usr/sbin/pgbouncer'

/** Tests that need a pooler are skipped if it is not installed. */
export const hasPooler = existsSync(program)

/** A pooler that shares connections between transactions. */
export interface Pooler {
  /** The URL of the database through the pooler. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** @param connections the number of connections to the database */
export async function openPooler(url: string, connections: number): Promise<Pooler> {
  const server = new URL(url)
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  const folder = mkdtempSync(join(tmpdir(), 'millrace-pooler-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const backend = `host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}`
  const settings = [
    'listen_addr=127.0.0.1',
    `listen_port=${port}`,
    'unix_socket_dir=',
    'auth_type=any',
    'pool_mode=transaction',
    `default_pool_size=${connections}`,
    'ignore_startup_parameters=extra_float_digits',
    // Otherwise it waits 15 s before it reconnects to a restarted server.
    'server_login_retry=1',
  ]
  writeFileSync(file, `[databases]\n* = ${backend}\n[pgbouncer]\n${settings.join('\n')}\n`)
  const child = spawn(program, [file], {
    stdio: 'pipe',
    ...(process.getuid?.() === 0 ? { uid: 65_534 } : {}),
  })
  let said = ''
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()))
  child.stdout.resume()
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  await until('the pooler is up', () => said.includes('process up'))
  return { url: `postgres://${server.username}@127.0.0.1:${port}${server.pathname}`, close }
}
