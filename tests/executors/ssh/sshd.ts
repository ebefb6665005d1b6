import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { until } from '#tests/support/until.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const program = '/usr/sbin/sshd'
export const hasSshd = existsSync(program)

export interface Sshd {
  readonly port: number
  /** Configuration of a step that logs in with a key, and knows the machine. */
  readonly login: Readonly<Record<string, unknown>>
  readonly folder: string
  /** The server ends soon after, and removes its folder. */
  readonly stop: () => void
}

/** Runs the server until standard input closes, which happens however the tests end. Then removes its folder. */
const keeper = '"$1" -D -e -f "$2/config" </dev/null & read -r _; kill $!; wait; rm -rf "$2"'

/**
 * Starts a real sshd for our own user, on a free port of this machine, with its own keys and settings. A login
 * with `forced_key` gets `echo only this` instead of the requested command.
 */
export async function startSshd(): Promise<Sshd> {
  const folder = temporaryFolder('sshd')
  for (const name of ['host_ed25519', 'host_other', 'user_key', 'stranger_key', 'forced_key']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  }
  execFileSync('ssh-keygen', ['-q', '-t', 'rsa', '-b', '2048', '-N', '', '-f', join(folder, 'host_rsa')])
  const publicKey = (name: string): string => readFileSync(join(folder, `${name}.pub`), 'utf8')
  writeFileSync(
    join(folder, 'accepted'),
    `${publicKey('user_key')}command="echo only this" ${publicKey('forced_key')}`,
  )
  const port = await freePort()
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host_rsa')}`,
    `HostKey ${join(folder, 'host_ed25519')}`,
    `AuthorizedKeysFile ${join(folder, 'accepted')}`,
    'UsePAM no',
    'StrictModes no',
    'PermitRootLogin yes',
    'PidFile none',
    // One session per connection, as on hardened machines.
    'MaxSessions 1',
    'MaxStartups 100',
  ]
  writeFileSync(join(folder, 'config'), `${settings.join('\n')}\n`)
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const child = spawn('sh', ['-c', keeper, 'keeper', program, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const stop = (): void => void child.stdin.end()
  await until('sshd listens', () => isListening(port))
  const known = join(folder, 'known_hosts')
  writeFileSync(known, `[127.0.0.1]:${port} ${publicKey('host_ed25519')}`)
  const { username: user } = userInfo()
  return {
    port,
    folder,
    login: { user, host: '127.0.0.1', port, key: join(folder, 'user_key'), knownHostFile: known },
    stop,
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
