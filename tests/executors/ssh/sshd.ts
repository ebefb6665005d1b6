import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { until } from '#tests/support/until.ts'

const program = '/usr/sbin/sshd'
export const hasSshd = existsSync(program)

export interface Sshd {
  readonly port: number
  /** Configuration of a step that logs in with a key, and knows the machine. */
  readonly login: Readonly<Record<string, unknown>>
  readonly folder: string
  readonly stop: () => void
}

/** Starts a real sshd for our own user, on a free port of this machine, with keys and settings of its own. */
export async function startSshd(): Promise<Sshd> {
  const folder = mkdtempSync(join(tmpdir(), 'sshd-'))
  for (const name of ['host_ed25519', 'host_other', 'user_key', 'stranger_key']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  }
  execFileSync('ssh-keygen', ['-q', '-t', 'rsa', '-b', '2048', '-N', '', '-f', join(folder, 'host_rsa')])
  const port = await freePort()
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host_rsa')}`,
    `HostKey ${join(folder, 'host_ed25519')}`,
    `AuthorizedKeysFile ${join(folder, 'user_key.pub')}`,
    'UsePAM no',
    'StrictModes no',
    'PermitRootLogin yes',
    'PidFile none',
    'MaxSessions 50',
    'MaxStartups 100',
  ]
  writeFileSync(join(folder, 'config'), `${settings.join('\n')}\n`)
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const child: ChildProcess = spawn(program, ['-D', '-e', '-f', join(folder, 'config')], { stdio: 'ignore' })
  await until('sshd listens', () => isListening(port))
  const known = join(folder, 'known_hosts')
  writeFileSync(known, `[127.0.0.1]:${port} ${readFileSync(join(folder, 'host_ed25519.pub'), 'utf8')}`)
  const { username: user } = userInfo()
  return {
    port,
    folder,
    login: { user, host: '127.0.0.1', port, key: join(folder, 'user_key'), knownHostFile: known },
    stop: () => {
      child.kill('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
