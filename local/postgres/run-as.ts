import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { copyBinaries, type Binaries } from './binaries.ts'

export interface Account {
  readonly uid: number
  readonly gid: number
}

/** A way to run the programs of PostgreSQL, which refuse to run as root. */
export interface RunAs {
  readonly name: string
  /** Required owner of the data folder, as this process sees it. */
  readonly owner: Account
  /** The user of the started process; undefined when it is our own, or the prefix changes it. */
  readonly account?: Account
  /** Program and arguments to put before the command. */
  readonly prefix: readonly string[]
  /** Called only when the way is tried, because it may have to make a copy first. */
  binaries(): Binaries
}

const nobody: Account = { uid: 65_534, gid: 65_534 }

/**
 * Ways that may work on this machine, best first.
 * @param spare folder for a copy of the binaries
 * @param existing owner of an existing data folder; only ways that work with it are returned
 */
export function waysToRun(binaries: Binaries, spare: string, existing?: Account): RunAs[] {
  const uid = process.getuid?.() ?? 0
  const gid = process.getgid?.() ?? 0
  const own = { uid, gid }
  const keep = (): Binaries => binaries
  const mapped = (name: string): RunAs => ({
    name: `user namespace (${name})`,
    owner: own,
    prefix: ['unshare', '-U', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`],
    binaries: keep,
  })
  if (process.getuid === undefined || uid !== 0) {
    return [{ name: 'this user', owner: own, prefix: [], binaries: keep }, mapped('a user without a name')]
  }
  const lower = existing === undefined || existing.uid === 0 ? serverAccount() : existing
  const asLower = { owner: lower, account: lower, prefix: [] }
  const ways: RunAs[] = [
    { name: `user ${lower.uid}`, ...asLower, binaries: keep },
    mapped('folders that only root may enter'),
    {
      name: 'capability to search',
      owner: lower,
      prefix: withCapability('dac_read_search', lower),
      binaries: keep,
    },
    {
      name: 'capability to override',
      owner: lower,
      prefix: withCapability('dac_override', lower),
      binaries: keep,
    },
    { name: 'copied binaries', ...asLower, binaries: () => copyBinaries(binaries, spare) },
  ]
  return existing === undefined ? ways : ways.filter((way) => way.owner.uid === existing.uid)
}

/** Whether the programs start this way and can write to `folder`, which must belong to the way's owner. */
export function wayWorks(way: RunAs, folder: string): boolean {
  try {
    const args = ['-c', 'test -w "$1" && exec "$2" --version', 'probe', folder, way.binaries().initdb]
    const [command, rest] = prefixed(way, '/bin/sh', process.platform === 'win32' ? [] : args)
    const options = { cwd: '/', stdio: 'ignore', timeout: 20_000, ...way.account } as const
    return process.platform === 'win32' || spawnSync(command, rest, options).status === 0
  } catch {
    return false
  }
}

/**
 * Starts a program of PostgreSQL in its own session, so that Ctrl-C on the terminal does not reach it, and with an
 * environment free of our variables.
 */
export function startAs(
  way: RunAs,
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly stdio: StdioOptions },
): ChildProcess {
  const [command, rest] = prefixed(way, program, args)
  const env = { PATH: process.env['PATH'], SystemRoot: process.env['SystemRoot'], LC_ALL: 'C', TZ: 'UTC' }
  return spawn(command, rest, { ...options, ...way.account, env, detached: true, windowsHide: true })
}

function prefixed(way: RunAs, program: string, args: readonly string[]): [string, string[]] {
  const [command = program, ...rest] = [...way.prefix, program, ...args]
  return [command, rest]
}

function withCapability(capability: string, account: Account): string[] {
  const caps = [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`]
  return ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', ...caps]
}

/** The user `postgres` if the system has one, otherwise `nobody`. */
function serverAccount(): Account {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith('postgres:'))
    const [, , uid, gid] = line?.split(':') ?? []
    return uid === undefined || gid === undefined ? nobody : { uid: Number(uid), gid: Number(gid) }
  } catch {
    return nobody
  }
}
