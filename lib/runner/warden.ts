import { spawn, type ChildProcess } from 'node:child_process'
import { wardenScript } from './warden-script.ts'
import { signalGroup } from '#lib/executors/shell/process-group.ts'

/**
 * Keeps the promise that nothing that a runner started outlives its right to run it: a small process of its own session
 * that kills every process group it was told of when the runner dies or when the lease runs out, also while the runner
 * is killed or stopped and can do nothing itself.
 */
export interface Warden {
  /** Tells of a process group that was started, or is gone. */
  readonly group: (event: { pgid: number; alive: boolean }) => void
  /**
   * Tells that every lease is good for `ms` more milliseconds; the groups are killed when this is not told again in
   * time.
   */
  readonly renewed: (ms: number) => void
  /** The process id of the warden; undefined where the system has no POSIX shell. */
  readonly pid: () => number | undefined
  /** Kills what is left and ends. */
  readonly close: () => Promise<void>
}

export interface WardenOptions {
  /** Marks the processes of this runner: `NAME=value…` as it begins in their environment. */
  readonly mark: string
  /** The leases ran out, and all process groups were killed. */
  readonly onExpired: () => void
  /** The warden died and another took its place. */
  readonly onReplaced: () => void
}

const expiredStatus = 3
/** A warden that ends at once, again and again, is not replaced more often than this. */
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
    // Without a shell on this system, children are killed by the runner alone. Anything else may pass.
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
        // Between the end of one warden and the next nobody else is there to do it.
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
  const child = spawn('/bin/sh', ['-c', wardenScript, 'warden', mark], {
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
