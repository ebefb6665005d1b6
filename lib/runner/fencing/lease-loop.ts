import { hostname } from 'node:os'
import { failpoint } from '#lib/core/failpoint.ts'
import { limits } from '#lib/core/limits.ts'
import { renewLeases, type Claim } from '#lib/runs/claim/renew-leases.ts'
import { undoClaims } from '#lib/runs/claim/undo-claims.ts'
import type { ClaimOptions, ClaimLoop } from '../claim-loop.ts'
import { Repeater, type PassResult } from '../repeater.ts'
import type { RunnerDeps } from '../runner-deps.ts'
import { claimName, type RunSessions } from '../session/run-sessions.ts'

export interface LeaseOptions extends Omit<ClaimOptions, 'pollEveryMs'> {
  readonly claims: ClaimLoop
  readonly renewEveryMs: number
}

/**
 * Renews all leases and the heartbeat of the runner in one statement, and ends the sessions of runs that are lost. The
 * first renewal registers the runner; from then on the clock of the database is known, and runs are claimed.
 */
export function createLeaseLoop(options: LeaseOptions): Repeater {
  const { renewEveryMs: everyMs, onFailure } = options
  return new Repeater({ act: () => renew(options), everyMs, slowestMs: everyMs, onFailure })
}

async function renew({
  deps,
  sessions,
  claims: claimLoop,
  labels,
  slots,
  leaseMs,
}: LeaseOptions): Promise<PassResult> {
  const { db, owner, lease, clock } = deps
  const held = sessions.list()
  const claims = held.map(({ run: { runKey, token } }) => ({ runKey, token }))
  const worker = { labels, slots, host: hostname(), pid: process.pid, draining: claimLoop.isStopped }
  const dropped = [...sessions.dropped]
  // A renewal that gets no response must leave time for another.
  const withinMs = Math.min(limits.statementMsMax, Math.max(1_000, leaseMs / 5))
  const sentAt = lease.now()
  failpoint('renewal.asking')
  const renewal = await renewLeases(db.within(withinMs), { owner, claims, leaseMs, worker })
  failpoint('renewal.answered')
  clock.observed(renewal.now, sentAt)
  // Lost runs end first, because the acknowledgement lets waiting steps start.
  const lost = new Set(renewal.lost)
  for (const session of held) if (lost.has(session.run.runKey)) session.lose()
  lease.acknowledged(sentAt)
  claimLoop.start()
  // The response to a claim in flight may contain some of them.
  if (!claimLoop.isActing) await releaseUnknown(deps, sessions, renewal.unknown)
  const unknown = new Set(renewal.unknown.map(claimName))
  for (const name of dropped) if (!unknown.has(name)) sessions.dropped.delete(name)
  return 'nothing'
}

/**
 * Gives back claims whose response never arrived: nobody works on those runs, and the lease keeps other runners away.
 * Dropped claims are left to expire. A run that ended here after the request was sent is harmless: its token is no
 * longer valid.
 */
async function releaseUnknown(
  { db, owner, log }: RunnerDeps,
  sessions: RunSessions,
  unknown: readonly Claim[],
): Promise<void> {
  const neverReceived = unknown.filter((claim) => !sessions.isKnown(claim))
  if (neverReceived.length === 0) return
  await undoClaims(db, owner, neverReceived)
  log.warn({ event: 'runner.claim-unheard', runs: neverReceived.length }, 'the response to a claim was lost')
}
