import { failpoint } from '#lib/core/failpoint.ts'
import { hostname } from 'node:os'
import { limits } from '#lib/core/limits.ts'
import type { Listening } from '#lib/db/keep-listening.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { renewLeases, type Claim } from '#lib/runs/claim/renew-leases.ts'
import { undoClaims } from '#lib/runs/claim/undo-claims.ts'
import { forgetWorker } from '#lib/workers/forget-worker.ts'
import type { DriveEnd } from './drive-run.ts'
import { OwnedRun } from './owned-run.ts'
import { Repeater } from './repeater.ts'
import type { RunnerServices } from './services.ts'

export interface LoopOptions {
  readonly services: RunnerServices
  readonly labels: Readonly<Record<string, string>>
  /** Maximum number of runs that execute something at the same time. */
  readonly slots: number
  readonly leaseMs: number
  readonly renewEveryMs: number
  readonly pollEveryMs: number
}

/** Maximum number of runs held per slot. Those beyond the slots only wait, for child runs or for a time. */
const waitingPerSlot = 64
/** While nothing is found, the poll interval grows to this multiple. Notifications still trigger a claim at once. */
const slowestPoll = 2
/** After the grace period of a drain, time for the database to take the runs back, milliseconds. */
const giveBackMs = 10_000
/** Time for deregistering the runner at the very end, milliseconds. */
const goodByeMs = 1_000

/**
 * Claims runs while slots are free, renews their leases, and passes lost and stopped runs on. It polls; notifications
 * only make it faster.
 */
export class RunnerLoop {
  readonly #options: LoopOptions
  readonly #runs = new Map<string, OwnedRun>()
  readonly #claiming: Repeater
  readonly #renewing: Repeater
  readonly #renewingWithinMs: number
  #listening: Listening | undefined
  /** True after the first renewal; from then on the clock of the database is known. */
  #isRegistered = false
  /** True while a claim is in flight. */
  #isAsking = false
  /**
   * Claims of runs that ended here as lost but may still be valid in the database. They are not given back: their
   * leases expire, which counts as a lost runner.
   */
  readonly #dropped = new Set<string>()
  #isDraining = false
  #isClosed = false
  readonly #idle: (() => void)[] = []

  constructor(options: LoopOptions) {
    this.#options = options
    const { pollEveryMs, renewEveryMs, leaseMs } = options
    // When one renewal is not answered, there must be time for another.
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

  /** Registers the runner, then begins to claim. Waits for a database that cannot be reached. */
  start(): void {
    this.#renewing.soon()
    this.#listening = this.#options.services.db.listen(['millrace_work', 'millrace_signal'], (channel) => {
      if (channel === 'millrace_work') this.claimSoon()
      else this.#signalled()
    })
  }

  /** Claims without waiting for the next poll: a child run was created, or a slot became free. */
  claimSoon(): void {
    if (this.#isRegistered && !this.#isDraining) this.#claiming.soon()
  }

  get size(): number {
    return this.#runs.size
  }

  /** Steps that execute on this machine. */
  get executing(): number {
    return [...this.#runs.values()].reduce((sum, owned) => sum + owned.executing, 0)
  }

  /** Stops claiming. Running steps get `graceMs`, then all runs are given back. Settles when no run is left. */
  async drain(graceMs: number): Promise<void> {
    this.#isDraining = true
    this.#claiming.stop()
    await this.#claiming.settled()
    for (const owned of this.#runs.values()) owned.handOver()
    const grace = setTimeout(() => this.giveBackAll(), graceMs)
    await this.#untilIdle(graceMs + giveBackMs)
    clearTimeout(grace)
  }

  /** Kills everything and gives all runs back. */
  giveBackAll(): void {
    for (const owned of this.#runs.values()) owned.giveBackNow()
  }

  /** Deregisters the runner. Call it after {@link RunnerLoop.drain}. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#claiming.stop()
    this.#renewing.stop()
    await this.#listening?.stop()
    await Promise.all([this.#claiming.settled(), this.#renewing.settled()])
    const { db, owner } = this.#options.services
    // If the database is away, the heartbeat expires instead.
    await forgetWorker(db.within(goodByeMs), owner).catch(() => undefined)
  }

  /** `millrace_signal`: some run was told to stop, or a child run ended. */
  #signalled(): void {
    if (this.#isClosed || this.#runs.size === 0) return
    this.#renewing.soon()
    void this.#options.services.children.ask()
  }

  /** @returns whether more runs may be claimable (`more`), some were claimed (`found`) or none (`nothing`) */
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
      const runs = await claimRuns(db, { owner, labels, count, leaseMs, known: plans.known() })
      if (runs.length > 0) failpoint('claim.answered')
      // After an outage, a claim may be the first answer. Otherwise renewals do: the warden pays for each word.
      if (this.#runs.size === 0 && runs.length > 0 && lease.remaining() < leaseMs / 2)
        this.#acknowledged(sentAt)
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

  /**
   * Waiting runs take memory. When there are too many, gives some back; they queue behind the children they wait for.
   */
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
    // The same run may have been claimed again since.
    if (this.#runs.get(run.runKey) === owned) this.#runs.delete(run.runKey)
    if (end === 'lost') this.#dropped.add(nameOf(run))
    this.#logEnd(owned, end)
    if (end === 'finished' && run.parentKey !== undefined) void services.children.ask()
    this.#slotsChanged()
    if (this.#runs.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #logEnd({ run, outcome }: OwnedRun, end: DriveEnd): void {
    const { log, clock } = this.#options.services
    const { runId, dagName: dag, attempt } = run
    const event = { event: eventOf[end], runId, dag, attempt }
    if (end !== 'finished' || outcome === undefined) return log.info(event, end)
    // What follows the first line is output of a step.
    const error = outcome.error.split('\n', 1)[0] ?? ''
    const result = {
      status: outcome.status,
      durationMs: Math.max(0, Math.round(clock.now() - run.startedAt)),
    }
    log.info({ ...event, ...result, ...(error !== '' && { error }) }, `the run ended: ${outcome.status}`)
  }

  /** @param limitMs maximum wait for a database that does not answer; after that, the leases expire */
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
    // Lost runs first, because the acknowledgement lets waiting steps start.
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
   * Gives back claims that this runner never heard of: nobody works on those runs, and the lease keeps other runners
   * away. Not while a claim is in flight, because its answer may contain them. Claims in `#dropped` are left to expire.
   * A run that ended here since the request was sent is harmless: its token is no longer valid.
   */
  async #giveBackUnheard(unknown: readonly Claim[]): Promise<void> {
    if (this.#isAsking) return
    const isHeard = (claim: Claim): boolean =>
      this.#runs.get(claim.runKey)?.run.token === claim.token || this.#dropped.has(nameOf(claim))
    const unheard = unknown.filter((claim) => !isHeard(claim))
    if (unheard.length === 0) return
    const { db, log, owner } = this.#options.services
    await undoClaims(db, owner, unheard)
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
