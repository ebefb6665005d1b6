import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { isUndefined } from '#lib/db/errors.ts'
import type { ExecutorSettings } from '#lib/executors/executor.ts'
import { executorFor } from '#lib/executors/registry.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import type { LogStore } from '#lib/logs/log-store.ts'
import { createDefinitionReader } from '#lib/runs/read/read-definition.ts'
import { stepUserVariables } from '#lib/privileges/step-identity.ts'
import type { Traces } from '#lib/telemetry/traces.ts'
import type { Log } from '#lib/telemetry/log.ts'
import { ChildRegistry } from './children/child-registry.ts'
import { cleanEnvironment } from './inputs/clean-environment.ts'
import { followDatabaseClock } from './fencing/database-clock.ts'
import { createLeaseLoop } from './fencing/lease-loop.ts'
import { openJournal } from './journal/open-journal.ts'
import { keepSweeping } from './work-folders/keep-sweeping.ts'
import { keepLease } from './fencing/lease.ts'
import { ClaimLoop } from './claim-loop.ts'
import type { RunnerDeps } from './runner-deps.ts'
import { RunSessions } from './session/run-sessions.ts'
import { watchRuns } from './watch-runs.ts'
import { forgetWorker } from '#lib/workers/forget-worker.ts'
import { trackStrays } from './fencing/strays.ts'
import { startWarden } from './fencing/warden.ts'

export interface RunnerOptions {
  readonly db: Database
  readonly logs: LogStore
  /** Maximum size of one log stream of a step. */
  readonly logBytesMax: number
  readonly log: Log
  /** The environment of the service. Steps inherit a part of it, and the secrets that their DAG declares. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly labels: Readonly<Record<string, string>>
  readonly slots: number
  readonly leaseMs: number
  /** Time for running steps to finish after the runner was asked to stop, milliseconds. */
  readonly graceMs: number
  readonly dagsDir: string | undefined
  /** Shell of steps that set none; default: sh. */
  readonly shell?: string
  readonly workDir: string
  /** Folders in which all paths of DAGs must lie; default: anywhere. */
  readonly fileBounds?: readonly FileBound[]
  readonly executors: ExecutorSettings
  readonly traces?: Traces | undefined
  /** The runner stops itself after this time; undefined: never. */
  readonly budgetMs?: number | undefined
  readonly renewEveryMs?: number
  readonly pollEveryMs?: number
  /** Minimum time since the last use before the working folder of a removed DAG is deleted, milliseconds. */
  readonly folderIdleMs?: number
}

export interface Runner {
  /** The name of the runner in its claims. */
  readonly owner: string
  /** Stops claiming, gives running steps the grace period, releases the other runs, and ends. */
  readonly stop: () => Promise<void>
  /** Settles when the runner has ended, after `stop` or when its budget is used up. */
  readonly done: Promise<void>
}

/** Time for deregistering the runner at the very end, milliseconds. */
const deregisterMs = 1_000

/** The last part of a lease, reserved for killing running steps before another runner may take over. Milliseconds. */
function marginOf(leaseMs: number): number {
  return Math.max(1_000, Math.min(5_000, Math.floor(leaseMs / 4)))
}

const failureText = (error: unknown): string =>
  isUndefined(error)
    ? 'the database has not all tables of this version: run millrace migrate, or start the service; trying again'
    : 'the database did not answer; trying again'

/** Starts a runner, which claims and executes runs until it is stopped. */
export function startRunner(options: RunnerOptions): Runner {
  const { db, log, leaseMs, labels, slots, graceMs } = options
  const owner = `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`
  const onFailure = (error: unknown): void => log.warn({ event: 'runner.cut-off', error }, failureText(error))
  const strays = trackStrays(randomBytes(9).toString('hex'))
  const warden = startWarden({
    owner,
    mark: strays.prefix,
    onExpired: () => {
      log.warn(
        { event: 'runner.lost-leases', owner },
        'the leases were not renewed in time: all steps were killed',
      )
      sessions.releaseAll()
    },
    onReplaced: () => log.warn({ event: 'runner.lost-leases', owner }, 'the warden died and is replaced'),
  })
  const definitions = createDefinitionReader()
  const deps: RunnerDeps = {
    ...options,
    owner,
    clock: followDatabaseClock(),
    lease: keepLease({ leaseMs, marginMs: marginOf(leaseMs), onRenewed: warden.renewed }),
    journal: openJournal(db, onFailure),
    warden,
    strays,
    definitions,
    children: new ChildRegistry({ db, definitions, onStarted: () => claims.soon(), onFailure }),
    inherited: new Map(Object.entries({ ...cleanEnvironment(options.environment), ...stepUserVariables() })),
  }
  const sessions: RunSessions = new RunSessions(deps, () => claims.roomChanged())
  const shared = { deps, sessions, labels, slots, leaseMs, onFailure }
  const claims = new ClaimLoop({ ...shared, pollEveryMs: options.pollEveryMs ?? limits.pollEveryMs })
  const renewEveryMs = Math.min(options.renewEveryMs ?? limits.renewEveryMs, leaseMs / 5)
  const leases = createLeaseLoop({ ...shared, claims, renewEveryMs })
  const watch = watchRuns(deps, sessions, { everyMs: renewEveryMs, onFailure })
  const stopSweeping = keepSweeping(options)
  void executorFor('shell') // loaded early, because nearly every run needs it
  leases.start()
  watch.start()
  const listening = db.listen(['millrace_work', 'millrace_signal'], (channel) =>
    channel === 'millrace_work' ? claims.soon() : watch.soon(),
  )
  return supervise(options, owner, async () => {
    const { size: runs, executing: steps } = sessions
    const wait = `waiting for ${steps} running ${steps === 1 ? 'step' : 'steps'}, ${graceMs / 1_000} s at most`
    const words = steps === 0 ? 'the runner releases its runs' : wait
    log.info({ event: 'runner.draining', owner, runs, steps }, words)
    stopSweeping()
    await claims.stop()
    await sessions.drain(graceMs)
    await Promise.all([listening.stop(), watch.stop(), leases.stop()])
    // If the database is unreachable, the heartbeat expires instead.
    await forgetWorker(db.within(deregisterMs), owner).catch(() => undefined)
    strays.close()
    await warden.close()
    await options.traces?.close()
  })
}

function supervise({ budgetMs }: RunnerOptions, owner: string, end: () => Promise<void>): Runner {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  let ending: Promise<void> | undefined
  const stop = (): Promise<void> => {
    clearTimeout(budget)
    ending ??= end().then(resolve, reject)
    return done
  }
  const budget = budgetMs === undefined ? undefined : setTimeout(() => void stop(), budgetMs)
  return { owner, stop, done }
}
