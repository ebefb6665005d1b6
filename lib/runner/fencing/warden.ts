import { spawn, type ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { wardenScript } from './warden-script.ts'
import { stepUserPrefix } from '#lib/privileges/step-identity.ts'
import { signalGroup } from '#lib/executors/shell/process-group.ts'
import { stepFolderPrefix } from '#lib/executors/shell/step-folder.ts'

/**
 * Ensures that no process outlives the lease of its runner, and no script its runner. The warden is a small process in
 * its own session. When the runner dies or the lease expires, it kills every process group it knows and removes the
 * runner's temporary folders. This also works while the runner is stopped.
 */
export interface Warden {
  /** Reports that a process group was started, or has ended. */
  readonly group: (event: { pgid: number; alive: boolean }) => void
  /**
   * Reports that all leases are valid for `ms` more milliseconds. Without another such report in time, the groups are
   * killed.
   */
  readonly renewed: (ms: number) => void
  /** Process id of the warden; undefined where there is no POSIX shell. */
  readonly pid: () => number | undefined
  /** Kills the remaining groups and ends the warden. */
  readonly close: () => Promise<void>
}

export interface WardenOptions {
  /** The owner name of the runner, which is part of the names of its temporary folders. */
  readonly owner: string
  /** The common prefix of the marks in the environment of this runner's processes, as `NAME=value…`. */
  readonly mark: string
  /**
   * Called once when the leases expired and all process groups are killed, before the end of any of them is handled.
   */
  readonly onExpired: () => void
  /** Called when the warden died and was replaced. */
  readonly onReplaced: () => void
}

const expiredStatus = 3
/** Minimum time between two starts, for a warden that keeps dying. Milliseconds. */
const replaceEveryMs = 1_000

export function startWarden(options: WardenOptions): Warden {
  const groups = new Set<number>()
  let validUntil: number | undefined
  const expiry = watchExpiry(options.onExpired)
  let closing = false
  let startedAt = 0
  let child = start()

  function start(): ChildProcess {
    startedAt = performance.now()
    const started = spawnWarden(options)
    started.once('exit', (status) => {
      if (closing) return
      if (status === expiredStatus) expiry.expire()
      else options.onReplaced()
      replaceSoon()
    })
    // Without a shell, only the runner itself kills processes. Other errors may be temporary.
    started.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') replaceSoon()
    })
    return started
  }

  function replaceSoon(): void {
    setTimeout(replace, Math.max(0, startedAt + replaceEveryMs - performance.now())).unref()
  }

  function replace(): void {
    if (closing) return
    child = start()
    for (const pgid of groups) order(`+ ${pgid}`)
    if (validUntil !== undefined) orderTimer(validUntil - performance.now())
  }

  function order(text: string): void {
    if (child.stdin?.writable === true) child.stdin.write(`${text}\n`)
  }

  function orderTimer(ms: number): void {
    const seconds = Math.floor(ms / 1_000)
    if (seconds < 1) return
    expiry.killsIn(seconds * 1_000)
    order(`r ${seconds}`)
  }

  return {
    group: ({ pgid, alive }) => {
      if (alive) groups.add(pgid)
      else groups.delete(pgid)
      // A runner that was stopped may see what the warden killed before it sees that the warden has ended.
      if (!alive && expiry.isDue()) expiry.expire()
      order(`${alive ? '+' : '-'} ${pgid}`)
    },
    renewed: (ms) => {
      validUntil = performance.now() + ms
      orderTimer(ms)
    },
    pid: () => child.pid,
    close: () => {
      closing = true
      return endWarden(child, groups)
    },
  }
}

/** Tracks the time at which the warden kills everything. `onExpired` is called once per expiry. */
function watchExpiry(onExpired: () => void) {
  let killsAt = Infinity
  let hasExpired = false
  return {
    killsIn: (ms: number): void => {
      killsAt = performance.now() + ms
      hasExpired = false
    },
    isDue: (): boolean => performance.now() >= killsAt,
    expire: (): void => {
      if (!hasExpired) onExpired()
      hasExpired = true
    },
  }
}

/** Ends a warden, and kills the groups here too: the warden may have died without a successor. */
function endWarden(child: ChildProcess, groups: ReadonlySet<number>): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const pgid of groups) signalGroup(pgid, 'SIGKILL')
      resolve()
    }
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return done()
    child.once('exit', done)
    child.stdin?.end()
  })
}

function spawnWarden({ mark, owner }: WardenOptions): ChildProcess {
  const folders = [resolve(tmpdir()), stepFolderPrefix('step', owner), stepFolderPrefix('run', owner)]
  const child = spawn('/bin/sh', ['-c', wardenScript, 'warden', mark, ...folders, ...stepUserPrefix()], {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.stdin.on('error', () => {
    // The pipe broke: `exit` follows.
  })
  return child
}
