import { spawn, type ChildProcess } from 'node:child_process'
import { wardenScript } from './warden-script.ts'
import { stepUserPrefix } from '#lib/privileges/step-identity.ts'
import { signalGroup } from '#lib/executors/shell/process-group.ts'

/**
 * Ensures that no process outlives the right of its runner to run it. The warden is a small process in its own session,
 * which kills every process group that it knows when the runner dies or the lease expires, even when the runner was
 * killed or stopped and can do nothing itself.
 */
export interface Warden {
  /** Reports that a process group was started, or has ended. */
  readonly group: (event: { pgid: number; alive: boolean }) => void
  /**
   * Reports that all leases are valid for `ms` more milliseconds. Without another such report in time, the groups are
   * killed.
   */
  readonly renewed: (ms: number) => void
  /** Process id of the warden; undefined on a system without a POSIX shell. */
  readonly pid: () => number | undefined
  /** Kills the remaining groups and ends the warden. */
  readonly close: () => Promise<void>
}

export interface WardenOptions {
  /** How the marks of this runner's processes begin in their environment, as `NAME=value…`. */
  readonly mark: string
  /** Called when the leases expired and all process groups were killed. */
  readonly onExpired: () => void
  /** Called when the warden died and was replaced. */
  readonly onReplaced: () => void
}

const expiredStatus = 3
/** Minimum time between two starts, for a warden that keeps dying. Milliseconds. */
const replaceEveryMs = 1_000

export function startWarden(options: WardenOptions): Warden {
  const groups = new Set<number>()
  let goodUntil: number | undefined
  let closing = false
  let startedAt = 0
  let child = start()

  function start(): ChildProcess {
    startedAt = performance.now()
    const started = spawnWarden(options.mark)
    started.once('exit', (status) => {
      if (closing) return
      if (status === expiredStatus) options.onExpired()
      else options.onReplaced()
      replaceSoon()
    })
    // No shell on this system: only the runner itself kills processes. Other errors may be temporary.
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
    if (goodUntil !== undefined) orderTimer(goodUntil - performance.now())
  }

  function order(text: string): void {
    if (child.stdin?.writable === true) child.stdin.write(`${text}\n`)
  }

  function orderTimer(ms: number): void {
    if (ms >= 1_000) order(`r ${Math.floor(ms / 1_000)}`)
  }

  return {
    group: ({ pgid, alive }) => {
      if (alive) groups.add(pgid)
      else groups.delete(pgid)
      order(`${alive ? '+' : '-'} ${pgid}`)
    },
    renewed: (ms) => {
      goodUntil = performance.now() + ms
      orderTimer(ms)
    },
    pid: () => child.pid,
    close: () => {
      closing = true
      return new Promise((resolve) => {
        // Between the death of one warden and the start of the next, nobody else would kill them.
        const done = (): void => {
          for (const pgid of groups) signalGroup(pgid, 'SIGKILL')
          resolve()
        }
        if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return done()
        child.once('exit', done)
        child.stdin?.end()
      })
    },
  }
}

function spawnWarden(mark: string): ChildProcess {
  const child = spawn('/bin/sh', ['-c', wardenScript, 'warden', mark, ...stepUserPrefix()], {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.stdin.on('error', () => {
    // The pipe is broken: `exit` follows.
  })
  return child
}
