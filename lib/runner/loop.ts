import { failpoint } from '#lib/core/failpoint.ts'
import { hostname } from 'node:os'
import { limits } from '#lib/core/limits.ts'
import type { Listening } from '#lib/db/keep-listening.ts'
import { claimRuns } from '#lib/runs/claim-runs.ts'
import { recordProgress } from '#lib/runs/record-progress.ts'
import { renewLeases, type Claim } from '#lib/runs/renew-leases.ts'
import { forgetWorker } from '#lib/workers/forget-worker.ts'
import type { DriveEnd } from './drive-run.ts'
import { OwnedRun } from './owned-run.ts'
import { Repeater } from './repeater.ts'
import type { RunnerServices } from './services.ts'

export interface LoopOptions {
  readonly services: RunnerServices
  readonly labels: Readonly<Record<string, string>>
  /** Runs that execute something at the same time. */
  readonly slots: number
  readonly leaseMs: number
  readonly renewEveryMs: number
  readonly pollEveryMs: number
}

/** For each slot, so many runs may be held that only wait for child runs or for a time. */
const waitingPerSlot = 64
/** Polls slow down to this many times their interval while nothing is found; hints make up for it. */
const slowestPoll = 2
/** After the grace of a drain the database has this long to take the runs back, milliseconds. */
const giveBackMs = 10_000
/** And at the end this long to take the runner from the list, milliseconds. */
const goodByeMs = 1_000

/**
 * Claims runs as long as slots are free, keeps their leases, and passes on what the database says of them. Polling
 * is the base; hints only make it faster.
 */
export class RunnerLoop {
  readonly #options: LoopOptions
  readonly #runs = new Map<string, OwnedRun>()
  readonly #claiming: Repeater
  readonly #renewing: Repeater
  readonly #renewingWithinMs: number
  #listening: Listening | undefined
  /** The clock of the database is known from the first renewal on. */
  #isRegistered = false
  /** A claim is under way. */
  #isAsking = false
  /** Claims that ended as lost here, and may be valid still: their leases run out, which counts as a loss. */
  readonly #dropped = new Set<string>()
  #isDraining = false
  #isClosed = false
  readonly #idle: (() => void)[] = []

  constructor(options: LoopOptions) {
    this.#options = options
    const { pollEveryMs, renewEveryMs, leaseMs } = options
    // A renewal that is not answered must leave time for the next.
    this.#renewingWithinMs = Math.min(limits.statementMsMax, Math.max(1_000, leaseMs / 5))
    const onFailure = (error: unknown): void => this.#report(error)
    this.#claiming = new Repeater({
      act: () => this.#claim(),
      everyMs: pollEveryMs,
      slowestMs: pollEveryMs * slowestPoll,
      onFailure,
    })
    this.#renewing = new Repeater({
      act: () => this.#renew(),
      everyMs: renewEveryMs,
      slowestMs: renewEveryMs,
      onFailure,
    })
  }

  /** Registers the runner, then begins to claim. A database that cannot be reached is waited for. */
  start(): void {
    this.#renewing.soon()
    this.#listening = this.#options.services.db.listen(['millrace_work', 'millrace_signal'], (channel) => {
      if (channel === 'millrace_work') this.claimSoon()
      else this.#signalled()
    })
  }

  /** A child run was made, or a slot became free. */
  claimSoon(): void {
    if (this.#isRegistered && !this.#isDraining) this.#claiming.soon()
  }

  get size(): number {
    return this.#runs.size
  }

  /** Claims nothing more; running steps get their grace, then all runs are given back. Settles when none is left. */
  async drain(graceMs: number): Promise<void> {
    this.#isDraining = true
    this.#claiming.stop()
    await this.#claiming.settled()
    for (const owned of this.#runs.values()) owned.handOver()
    const grace = setTimeout(() => this.giveBackAll(), graceMs)
    await this.#untilIdle(graceMs + giveBackMs)
    clearTimeout(grace)
  }

  /** Kills everything and gives all runs back as they are. */
  giveBackAll(): void {
    for (const owned of this.#runs.values()) owned.giveBackNow()
  }

  /** After {@link RunnerLoop.drain}: says good-bye to the database. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#claiming.stop()
    this.#renewing.stop()
    await this.#listening?.stop()
    await Promise.all([this.#claiming.settled(), this.#renewing.settled()])
    const { db, owner } = this.#options.services
    // Where the database is away its heartbeat runs out.
    await forgetWorker(db.within(goodByeMs), owner).catch(() => undefined)
  }

  /** Some run somewhere was told to stop, or a child run ended. */
  #signalled(): void {
    if (this.#isClosed || this.#runs.size === 0) return
    this.#renewing.soon()
    void this.#options.services.children.ask()
  }

  /** @returns whether there may be more to do at once */
  async #claim(): Promise<'more' | 'found' | 'nothing'> {
    const { services, labels, leaseMs } = this.#options
    this.#makeRoom()
    const count = this.#freeSlots()
    if (this.#isDraining) return 'nothing'
    if (count <= 0) return 'more'
    const { db, owner, lease, plans } = services
    const sentAt = lease.now()
    failpoint('claim.asking')
    this.#isAsking = true
    try {
      const runs = await claimRuns(db, { owner, labels, count, leaseMs, knownHashes: plans.hashes() })
      if (runs.length > 0) failpoint('claim.answered')
      if (this.#runs.size === 0 && runs.length > 0) this.#acknowledged(sentAt)
      for (const run of runs) this.#own(new OwnedRun(run, services, () => this.#slotsChanged()))
      if (runs.length === 0) return 'nothing'
      return runs.length === count ? 'more' : 'found'
    } finally {
      this.#isAsking = false
    }
  }

  #freeSlots(): number {
    let busy = 0
    for (const owned of this.#runs.values()) if (owned.isBusy) busy += 1
    return this.#options.slots - busy
  }

  /** Waiting runs cost memory: when there are very many, some go back behind the children that they wait for. */
  #makeRoom(): void {
    const { slots } = this.#options
    if (this.#runs.size < slots * waitingPerSlot) return
    const waiting = [...this.#runs.values()].filter((owned) => !owned.isBusy)
    for (const owned of waiting.slice(0, slots)) owned.handOver()
  }

  #slotsChanged(): void {
    if (this.#claiming.hasMore && this.#freeSlots() > 0) this.claimSoon()
  }

  #own(owned: OwnedRun): void {
    const { run } = owned
    const { log } = this.#options.services
    log.debug({ event: 'run.claimed', runId: run.runId, dag: run.dagName, attempt: run.attempt }, 'claimed')
    this.#runs.set(run.runKey, owned)
    if (this.#isDraining) owned.handOver()
    void this.#untilDone(owned)
  }

  async #untilDone(owned: OwnedRun): Promise<void> {
    const end = await owned.done
    const { run } = owned
    const { services } = this.#options
    // The same run may have been claimed again meanwhile.
    if (this.#runs.get(run.runKey) === owned) this.#runs.delete(run.runKey)
    if (end === 'lost') this.#dropped.add(nameOf(run))
    services.log.info({ event: eventOf[end], runId: run.runId, dag: run.dagName }, end)
    if (end === 'finished' && run.parentKey !== undefined) void services.children.ask()
    this.#slotsChanged()
    if (this.#runs.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** @param limitMs a database that does not answer is not waited for longer: the leases run out */
  #untilIdle(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#runs.size === 0) return resolve()
      const limit = setTimeout(resolve, limitMs)
      this.#idle.push(() => {
        clearTimeout(limit)
        resolve()
      })
    })
  }

  async #renew(): Promise<'nothing'> {
    const { services, labels, slots, leaseMs } = this.#options
    const { db, owner, lease, clock } = services
    const claimed = [...this.#runs.values()]
    const claims = claimed.map(({ run: { runKey, token } }) => ({ runKey, token }))
    const worker = { labels, slots, host: hostname(), pid: process.pid, draining: this.#isDraining }
    const dropped = [...this.#dropped]
    const sentAt = lease.now()
    failpoint('renewal.asking')
    const renewal = await renewLeases(db.within(this.#renewingWithinMs), { owner, claims, leaseMs, worker })
    failpoint('renewal.answered')
    clock.heard(renewal.now, sentAt)
    // Lost runs first: the acknowledgement lets waiting steps start.
    const lost = new Set(renewal.lost)
    for (const owned of claimed) if (lost.has(owned.run.runKey)) owned.forget()
    this.#acknowledged(sentAt)
    for (const { runKey, at } of renewal.stopping) this.#runs.get(runKey)?.stop(at)
    void services.children.ask()
    if (!this.#isRegistered) {
      this.#isRegistered = true
      this.claimSoon()
    }
    await this.#giveBackUnheard(renewal.unknown)
    const unknown = new Set(renewal.unknown.map(nameOf))
    for (const name of dropped) if (!unknown.has(name)) this.#dropped.delete(name)
    return 'nothing'
  }

  /**
   * Gives back what this runner has claimed without hearing of it: nobody works on it, and its lease would keep others
   * away. While a claim is under way its answer may be about these. Otherwise a claim that is not among the runs has
   * ended since, so that its token is no longer valid, or its answer was lost.
   */
  async #giveBackUnheard(unknown: readonly Claim[]): Promise<void> {
    if (this.#isAsking) return
    const isHeard = (claim: Claim): boolean =>
      this.#runs.get(claim.runKey)?.run.token === claim.token || this.#dropped.has(nameOf(claim))
    const unheard = unknown.filter((claim) => !isHeard(claim))
    if (unheard.length === 0) return
    const { db, log } = this.#options.services
    const release = { readyAtMs: null }
    await recordProgress(
      db,
      unheard.map((claim) => ({ ...claim, steps: [], release })),
    )
    log.warn({ event: 'runner.claim-unheard', runs: unheard.length }, 'the answer to a claim was lost')
  }

  #acknowledged(sentAt: number): void {
    const { lease, warden } = this.#options.services
    lease.acknowledged(sentAt)
    warden.renewed(Math.max(0, lease.remaining()))
  }

  #report(error: unknown): void {
    if (this.#isClosed) return
    this.#options.services.log.warn(
      { event: 'runner.cut-off', error },
      'the database did not answer; trying again',
    )
  }
}

const nameOf = ({ runKey, token }: Claim): string => `${runKey} ${token}`

const eventOf = {
  finished: 'run.finished',
  'given back': 'run.released',
  lost: 'run.lease-lost',
} as const satisfies Readonly<Record<DriveEnd, string>>
