import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { copyBinaries, type Binaries } from './binaries.ts'

export interface Account {
  readonly uid: number
  readonly gid: number
}

/** A way to run PostgreSQL's programs, which refuse to run as root. */
export interface RunAs {
  readonly name: string
  /** Who must own the data folder, as seen from here. */
  readonly owner: Account
  /** The user that the started process becomes; undefined: ours, or the prefix sees to it. */
  readonly account?: Account
  /** Program and arguments that come before the command. */
  readonly prefix: readonly string[]
  /** Asked when the way is tried, because a copy may have to be made first. */
  binaries(): Binaries
}

const nobody: Account = { uid: 65_534, gid: 65_534 }

/**
 * The ways that may work here, best first.
 * @param spare where a copy of the binaries may be made
 * @param existing owner of a data folder that is there already: only ways that suit it are answered
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

/** Says whether the programs start in this way and can write in `folder`, which must belong to the way's owner. */
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
 * Starts one of PostgreSQL's programs. It gets a session of its own, so that Ctrl-C on the terminal does not reach
 * it, and an environment without anything of ours.
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

/** The user `postgres` where the system has one, else `nobody`. */
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
