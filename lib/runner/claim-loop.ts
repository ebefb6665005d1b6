import { failpoint } from '#lib/core/failpoint.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { Repeater, type PassResult } from './repeater.ts'
import type { RunnerDeps } from './runner-deps.ts'
import type { RunSessions } from './session/run-sessions.ts'

export interface ClaimOptions {
  readonly deps: RunnerDeps
  readonly sessions: RunSessions
  readonly labels: Readonly<Record<string, string>>
  /** Maximum number of runs that execute something at the same time. */
  readonly slots: number
  readonly leaseMs: number
  readonly pollEveryMs: number
  readonly onFailure: (error: unknown) => void
}

/**
 * Maximum number of runs held per slot. Runs beyond the number of slots only wait: for child runs, or for a retry time.
 */
const waitingPerSlot = 64
/** While nothing is found, the poll interval grows to this multiple. Notifications still trigger a claim at once. */
const slowestPoll = 2

/** Claims runs while slots are free. It polls; notifications only make it faster. */
export class ClaimLoop extends Repeater {
  readonly #options: ClaimOptions

  constructor(options: ClaimOptions) {
    const { pollEveryMs: everyMs, onFailure } = options
    super({ act: () => this.#claim(), everyMs, slowestMs: everyMs * slowestPoll, onFailure })
    this.#options = options
  }

  /** To be called when a slot may have become free. */
  roomChanged(): void {
    if (this.hasMore && this.#freeSlots() > 0) this.soon()
  }

  async #claim(): Promise<PassResult> {
    const { deps, sessions, labels, leaseMs } = this.#options
    this.#makeRoom()
    const count = this.#freeSlots()
    if (count <= 0) return 'more'
    const { db, owner, lease, definitions } = deps
    const sentAt = lease.now()
    failpoint('claim.asking')
    const runs = await claimRuns(db, { owner, labels, count, leaseMs, known: definitions.known() })
    if (runs.length === 0) return 'nothing'
    failpoint('claim.answered')
    // After an outage, the first response may be that of a claim. Otherwise the renewals suffice: each message to the
    // warden costs two context switches.
    if (sessions.size === 0 && lease.remaining() < leaseMs / 2) lease.acknowledged(sentAt)
    for (const run of runs) sessions.begin(run)
    return runs.length === count ? 'more' : 'found'
  }

  #freeSlots(): number {
    return this.#options.slots - this.#options.sessions.busy
  }

  /**
   * Waiting runs take memory. When there are too many, some are given back; they queue behind the children they wait
   * for.
   */
  #makeRoom(): void {
    const { sessions, slots } = this.#options
    if (sessions.size < slots * waitingPerSlot) return
    const waiting = sessions.list().filter(({ isBusy }) => !isBusy)
    for (const session of waiting.slice(0, slots)) session.drain()
  }
}
