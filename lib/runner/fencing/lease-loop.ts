import { hostname } from 'node:os'
import { failpoint } from '#lib/core/failpoint.ts'
import { limits } from '#lib/core/limits.ts'
import { renewLeases, type Claim } from '#lib/runs/claim/renew-leases.ts'
import { undoClaims } from '#lib/runs/claim/undo-claims.ts'
import type { ClaimOptions, ClaimLoop } from '../claim-loop.ts'
import { Repeater } from '../repeater.ts'
import { claimName } from '../session/run-sessions.ts'

export interface LeaseOptions extends Omit<ClaimOptions, 'pollEveryMs'> {
  readonly claims: ClaimLoop
  readonly renewEveryMs: number
}

/** Renews all leases and the heartbeat of the runner in one statement, and ends the sessions of runs that are lost. */
export class LeaseLoop {
  readonly #options: LeaseOptions
  readonly #renewing: Repeater
  readonly #withinMs: number

  constructor(options: LeaseOptions) {
    this.#options = options
    const { renewEveryMs: everyMs, leaseMs, onFailure } = options
    // When one renewal is not answered, there must be time for another.
    this.#withinMs = Math.min(limits.statementMsMax, Math.max(1_000, leaseMs / 5))
    this.#renewing = new Repeater({ act: () => this.#renew(), everyMs, slowestMs: everyMs, onFailure })
  }

  /** Registers the runner; from then on the clock of the database is known, and runs are claimed. */
  start(): void {
    this.#renewing.start()
  }

  /** Settles when no renewal is in flight. */
  stop(): Promise<void> {
    return this.#renewing.stop()
  }

  async #renew(): Promise<'nothing'> {
    const { deps, sessions, claims: claiming, labels, slots, leaseMs } = this.#options
    const { db, owner, lease, clock } = deps
    const held = sessions.list()
    const claims = held.map(({ run: { runKey, token } }) => ({ runKey, token }))
    const worker = { labels, slots, host: hostname(), pid: process.pid, draining: claiming.isStopped }
    const dropped = sessions.dropped()
    const sentAt = lease.now()
    failpoint('renewal.asking')
    const renewal = await renewLeases(db.within(this.#withinMs), { owner, claims, leaseMs, worker })
    failpoint('renewal.answered')
    clock.observed(renewal.now, sentAt)
    // Lost runs first, because the acknowledgement lets waiting steps start.
    const lost = new Set(renewal.lost)
    for (const session of held) if (lost.has(session.run.runKey)) session.lose()
    lease.acknowledged(sentAt)
    claiming.start()
    await this.#giveBackUnheard(renewal.unknown)
    const unknown = new Set(renewal.unknown.map(claimName))
    sessions.forgetDropped(dropped.filter((name) => !unknown.has(name)))
    return 'nothing'
  }

  /**
   * Gives back claims that this runner never heard of: nobody works on those runs, and the lease keeps other runners
   * away. Not while a claim is in flight, because its answer may contain them. Dropped claims are left to expire. A run
   * that ended here since the request was sent is harmless: its token is no longer valid.
   */
  async #giveBackUnheard(unknown: readonly Claim[]): Promise<void> {
    const { deps, sessions, claims } = this.#options
    if (claims.isAsking) return
    const unheard = unknown.filter((claim) => !sessions.isHeard(claim))
    if (unheard.length === 0) return
    await undoClaims(deps.db, deps.owner, unheard)
    deps.log.warn({ event: 'runner.claim-unheard', runs: unheard.length }, 'the answer to a claim was lost')
  }
}
