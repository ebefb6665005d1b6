import { failpoint } from '#lib/core/failpoint.ts'
import { forgetAuditEntries } from '#lib/audit/forget-audit-entries.ts'
import { limits } from '#lib/core/limits.ts'
import { expireVersions } from '#lib/dags/expire-versions.ts'
import type { Database } from '#lib/db/client.ts'
import { forgetQueues } from '#lib/queues/forget-queues.ts'
import { promoteQueues } from '#lib/queues/promote-queues.ts'
import { releaseStoppedRuns } from '#lib/runs/stop/release-stopped-runs.ts'
import { foldEnds } from '#lib/runs/counts/fold-ends.ts'
import { continueStops } from '#lib/runs/stop/continue-stops.ts'
import { takeOverLostRuns } from '#lib/runs/claim/take-over-lost-runs.ts'
import type { LogStore } from '#lib/logs/log-store.ts'
import { removeDefinitions } from '#lib/runs/retention/remove-definitions.ts'
import { removeExpiredRuns } from '#lib/runs/retention/remove-expired-runs.ts'
import { removeSurplusRuns } from '#lib/runs/retention/remove-surplus-runs.ts'
import type { DefinitionReader } from '#lib/runs/read/read-definition.ts'
import type { Log } from '#lib/telemetry/log.ts'
import { forgetSessions } from '#lib/sessions/forget-sessions.ts'
import { forgetAttempts } from '#lib/users/login-attempts.ts'
import { forgetWorkers } from '#lib/workers/forget-workers.ts'
import { fireSchedules, type Fired } from '#lib/schedules/fire-schedules.ts'
import { forgetMissedTimes } from '#lib/schedules/forget-missed-times.ts'
import { recordHeartbeat } from './record-heartbeat.ts'

export interface TickDeps {
  readonly db: Database
  readonly log: Log
  readonly logs: LogStore
  readonly definitions: DefinitionReader
  readonly leaseMs: number
  /** Zone of schedule entries without one, if the zone in which they were computed is unknown. */
  readonly zone: string
  /** False: the owners may have been unable to renew expired leases, so no run is taken over. */
  readonly ownersHadTime?: boolean
}

export interface TickReport {
  readonly promoted: number
  readonly takenOver: number
  readonly stopped: number
  readonly fired: number
  readonly removed: number
  /** Milliseconds until the next known work is due, at most a minute. */
  readonly nextDueMs: number
}

const batch = 500
const removalBatch = 100
const batchesMax = 20
/** Runs that one statement stops, which takes a few tenths of a second. */
const stopBatch = 5_000
const idleMs = 60_000

/**
 * Does all periodic work that is due. Safe to run concurrently and late: each step is decided in one statement, by the
 * clock of the database. The cost depends on the due work, not on the stored data.
 */
export async function runTick(deps: TickDeps): Promise<TickReport> {
  const { db, log, logs, definitions, leaseMs, zone, ownersHadTime = true } = deps
  const takenOver = ownersHadTime ? await drain((limit) => takeOverLostRuns(db, { limit, leaseMs })) : 0
  failpoint('tick.taken-over')
  if (takenOver > 0)
    log.warn({ event: 'run.taken-over', count: takenOver }, 'runs of lost runners are continued')
  await continueAllStops(db)
  const stopped = await drain((limit) => releaseStoppedRuns(db, { limit }))
  failpoint('tick.stopped')
  if (stopped > 0) log.info({ event: 'run.stopped', count: stopped }, 'runs without a runner are stopped')
  const { fired, nextDueMs } = await fireSchedules({
    db,
    definitions,
    zone,
    limit: batch,
    onFired: (outcome) => logFired(log, outcome),
  })
  const promoted = await drain((limit) => promoteQueues(db, { limit }))
  failpoint('tick.promoted')
  if (promoted > 0) log.info({ event: 'queue.promoted', count: promoted }, 'queued runs may start')
  await forgetWorkers(db)
  await recordHeartbeat(db)
  await forgetAttempts(db)
  await drain((limit) => forgetSessions(db, { limit }))
  await drain((limit) => forgetAuditEntries(db, { limit }))
  await drain((limit) => forgetMissedTimes(db, { limit }))
  await drain((limit) => foldEnds(db, { limit }), limits.endsPerFold)
  const slowDb = db.within(limits.longStatementMsMax)
  const removed = await removeExpired(slowDb, logs)
  await drain((limit) => expireVersions(slowDb, { limit }))
  await drain((limit) => removeDefinitions(slowDb, { limit }))
  if (removed > 0) {
    await drain((limit) => forgetQueues(slowDb, { limit }))
    log.info({ event: 'run.removed', count: removed }, 'expired runs were removed')
  }
  return { promoted, takenOver, stopped, fired, removed, nextDueMs: Math.min(nextDueMs ?? idleMs, idleMs) }
}

function logFired(log: Log, outcome: Fired): void {
  const { act } = outcome
  if (act === 'failed')
    log.warn({ event: 'schedule.failed', ...outcome }, 'a schedule could not start its DAG')
  else if (act === 'pass over')
    log.info({ event: 'schedule.passed-over', ...outcome }, 'a schedule did nothing')
  else log.info({ event: 'schedule.fired', ...outcome }, 'a schedule was due')
}

async function continueAllStops(db: Database): Promise<void> {
  for (let round = 0; round < batchesMax; round++) {
    if ((await continueStops(db, { limit: stopBatch })) === 0) return
  }
}

/**
 * Removes in small batches, to hold locks only briefly. Rows go before their logs, so that no run is left without its
 * log.
 */
async function removeExpired(db: Database, logs: LogStore): Promise<number> {
  let total = 0
  for (const remove of [removeExpiredRuns, removeSurplusRuns]) {
    for (let round = 0; round < batchesMax; round++) {
      const keys = await remove(db, { limit: removalBatch })
      failpoint('tick.removed')
      await logs.removeRuns(keys)
      total += keys.length
      if (keys.length < removalBatch) break
    }
  }
  return total
}

/** Repeats a bounded operation until it finds less than its limit. */
async function drain(operation: (limit: number) => Promise<number>, limit = batch): Promise<number> {
  let total = 0
  for (let round = 0; round < batchesMax; round++) {
    const count = await operation(limit)
    total += count
    if (count < limit) break
  }
  return total
}
