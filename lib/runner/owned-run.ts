import { failpoint } from '#lib/core/failpoint.ts'
import { messageOf } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { FinalRunStatus } from '#lib/core/status.ts'
import type { RunEvent } from '#lib/engine/actions.ts'
import { untouchedStep } from '#lib/engine/initial-progress.ts'
import type { Plan } from '#lib/engine/plan.ts'
import { restoreProgress } from '#lib/engine/restore-progress.ts'
import { storedStep } from '#lib/engine/stored-step.ts'
import type { StopReason } from '#lib/executors/executor.ts'
import { runLogKey, type LogStore } from '#lib/logs/log-store.ts'
import type { ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import type { RecordStep } from '#lib/runs/claim/record-progress.ts'
import { RunDrive, type DriveEnd, type RunOutcome } from './drive-run.ts'
import { fencedLogs } from './fencing/fenced-logs.ts'
import { makeWorld } from './make-world.ts'
import { textOf } from './inputs/plan-cache.ts'
import { prepareRun, type PreparedRun } from './inputs/prepare-run.ts'
import { endLine, withheldLine } from './log/run-log-lines.ts'
import { maskedError } from './log/mask.ts'
import { traceRun, type RunTrace } from './log/run-trace.ts'
import { openRunLog, type RunLog } from './log/run-log.ts'
import type { RunnerServices } from './services.ts'

type Wish = 'go on' | 'hand over' | 'give back' | 'forget'

/** A run that this runner has claimed, until it is finished, given back or lost. */
export class OwnedRun {
  readonly run: ClaimedRun
  /** Never rejects. */
  readonly done: Promise<DriveEnd>
  readonly #services: RunnerServices
  readonly #onBusy: () => void
  /** Aborts commands that run during the preparation. */
  readonly #preparing = new AbortController()
  readonly #forgotten = new AbortController()
  readonly #atEnd: (() => Promise<void>)[] = []
  readonly #logs: LogStore
  readonly #trace: RunTrace | undefined
  #drive: RunDrive | undefined
  #refused: RunOutcome | undefined
  #wish: Wish = 'go on'
  #stopAt: number | undefined

  constructor(run: ClaimedRun, services: RunnerServices, onBusy: () => void) {
    this.run = run
    this.#services = services
    this.#logs = fencedLogs(services.logs, services.lease, {
      token: run.token,
      forgotten: this.#forgotten.signal,
      onRefused: (error) => {
        const { runId, dagName: dag } = run
        services.log.warn(
          { event: 'log.refused', runId, dag, error },
          'the store takes no output; trying again',
        )
      },
    })
    this.#trace = traceRun(services.traces, run)
    this.#onBusy = onBusy
    this.#stopAt = run.stopRequestedAt
    this.done = this.#live()
  }

  /** True while the run occupies a slot. */
  get isBusy(): boolean {
    return this.#drive?.isBusy ?? true
  }

  /** Steps that execute on this machine. */
  get executing(): number {
    return this.#drive?.executing ?? 0
  }

  /** How the run ended, once {@link done} says that it is finished. */
  get outcome(): RunOutcome | undefined {
    return this.#refused ?? this.#drive?.outcome
  }

  /** The run was told to stop, at a time by the clock of the database. Idempotent. */
  stop(at: number): void {
    if (this.#stopAt !== undefined && at <= this.#stopAt) return
    this.#stopAt = at
    if (this.#drive === undefined) this.#preparing.abort('stopped' satisfies StopReason)
    else this.#drive.apply({ type: 'stop-requested', at })
  }

  /** Lets running steps end, then gives the run back. */
  handOver(): void {
    if (this.#wish === 'go on') this.#wish = 'hand over'
    this.#drive?.handOver()
  }

  /** Kills what is running and gives the run back. */
  giveBackNow(): void {
    if (this.#wish !== 'forget') this.#wish = 'give back'
    this.#preparing.abort('lease_lost' satisfies StopReason)
    void this.#drive?.giveBackNow()
  }

  /** Kills what is running and forgets the run: another runner owns it. */
  forget(): void {
    this.#wish = 'forget'
    this.#forgotten.abort()
    this.#preparing.abort('lease_lost' satisfies StopReason)
    this.#services.journal.forget(this.run.runKey)
    void this.#drive?.forget()
  }

  async #live(): Promise<DriveEnd> {
    const { run } = this
    const { log, clock, owner } = this.#services
    let secrets: readonly string[] = []
    let runLog: RunLog | undefined
    try {
      runLog = await openRunLog(this.#logs, runLogKey(run), {
        isFirst: run.token === firstToken,
        secrets: () => secrets,
      })
      runLog.line(clock.now(), `run ${run.runId} of ${run.dagName} taken on by runner ${owner}`)
      const plan = await this.#services.plans.plan(textOf(run), run.document)
      const prepared = await this.#prepare(plan)
      this.#atEnd.push(prepared.close)
      failpoint('run.prepared')
      secrets = prepared.facts.maskedValues
      const { withheldParams } = prepared.facts
      if (prepared.isFresh && withheldParams.length > 0)
        runLog.line(clock.now(), withheldLine(withheldParams))
      await this.#sweep(prepared)
      if (this.#wish === 'give back' || this.#wish === 'forget') return await this.#refuse('', runLog)
      return await this.#runDrive(prepared, runLog)
    } catch (error) {
      const shown = maskedError(error, secrets)
      log.warn({ event: 'run.refused', runId: run.runId, error: shown }, 'a run could not be begun')
      return await this.#refuse(messageOf(shown), runLog)
    } finally {
      await this.#tidyUp()
    }
  }

  /** Removes what was made on this machine for the run, whoever owns the run now. */
  async #tidyUp(): Promise<void> {
    const { log } = this.#services
    const outcomes = await Promise.allSettled(this.#atEnd.map((act) => act()))
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue
      log.warn(
        { event: 'run.left-behind', runId: this.run.runId, error: outcome.reason as unknown },
        'left behind',
      )
    }
  }

  /** Removes containers of a previous owner that died or lost the run, before anything new begins. */
  async #sweep({ facts }: PreparedRun): Promise<void> {
    const { run } = this
    if (run.token === firstToken || !facts.plan.steps.some(({ step }) => step.executor.type === 'docker'))
      return
    const { executors: settings, log } = this.#services
    try {
      const { sweepContainers } = await import('#lib/executors/docker/sweep.ts')
      await sweepContainers(run, { env: Object.fromEntries(facts.variables), settings })
    } catch (error) {
      const shown = maskedError(error, facts.maskedValues)
      log.warn(
        { event: 'run.left-behind', runId: run.runId, error: shown },
        'containers may be left of an owner before',
      )
    }
  }

  #prepare(plan: Plan): Promise<PreparedRun> {
    return prepareRun(
      this.run,
      plan,
      { ...this.#services, logs: this.#logs },
      {
        signal: this.#preparing.signal,
        cleanUpMs: plan.definition.maxCleanUpTimeSec * 1_000,
        onProcessGroup: this.#services.warden.group,
      },
    )
  }

  async #runDrive({ facts, isFresh }: PreparedRun, log: RunLog): Promise<DriveEnd> {
    const { run } = this
    const { plan } = facts
    const services = this.#services
    const stopAt = run.stopRequestedAt ?? null
    const progress = restoreProgress(plan, run.steps, {
      startedAt: run.startedAt,
      checked: run.checked,
      ending: run.ending ?? null,
      lastStartAt: run.lastStartAt ?? null,
      stoppedAt: run.ending === 'stopped' ? stopAt : null,
    })
    const children = services.children.of(run, plan)
    const world = makeWorld({
      run,
      facts,
      log,
      services,
      children,
      isFresh,
      onLost: () => this.#forgotten.abort(),
      trace: this.#trace,
      runOfStep: { ...run, atEnd: (act) => this.#atEnd.push(act) },
    })
    const begun = run.begun.map(({ place }) => place)
    const isLast = run.lostCount >= limits.lostRunnersMax
    const lost: RunEvent = { type: 'runner-lost', at: services.clock.now(), isLast }
    const events: RunEvent[] = begun.length > 0 ? [] : [lost]
    if (this.#stopAt !== undefined) events.push({ type: 'stop-requested', at: this.#stopAt })
    const drive = new RunDrive({ plan, progress, begun, events, world, onBusy: this.#onBusy })
    this.#drive = drive
    if (this.#wish === 'hand over') drive.handOver()
    else drive.apply()
    const end = await drive.done
    await world.mailed()
    await log.close()
    return end
  }

  /**
   * Nothing of the run was executed here. It ends with the reason, unless it is given back or lost. No handler runs,
   * since nothing of the run is known.
   */
  async #refuse(error: string, log: RunLog | undefined): Promise<DriveEnd> {
    const { runKey, token } = this.run
    const { journal, clock } = this.#services
    if (this.#wish === 'forget') return 'lost'
    const isGivenBack = this.#wish === 'give back'
    const status: FinalRunStatus = this.#stopAt === undefined ? 'failed' : 'cancelled'
    if (!isGivenBack) this.#refused = { status, error }
    log?.line(clock.now(), endLine(this.#refused ?? 'given back'))
    await log?.close().catch(() => undefined)
    const what = isGivenBack
      ? { steps: this.#unbegunSteps(), release: { readyAtMs: null } }
      : { steps: [...this.#lostSteps(), ...this.#unbegunSteps()], finish: { status, error } }
    const answer = await journal.record({ runKey, token, ...what }).catch(() => 'lost' as const)
    if (answer === 'lost') return 'lost'
    if (!isGivenBack) this.#trace?.runEnded(this.run.startedAt, clock.now(), status, error)
    return isGivenBack ? 'given back' : 'finished'
  }

  /** Steps that began with the claim, as they were before it. */
  #unbegunSteps(): RecordStep[] {
    const { begun, attempt } = this.run
    return begun.map(({ name, place }) => ({ ...storedStep(name, untouchedStep, attempt), place }))
  }

  /** Steps that were running under a previous owner, marked as failed. */
  #lostSteps(): RecordStep[] {
    const lost = { status: 'failed', phase: null, waitUntil: null, error: 'runner lost' } as const
    const finishedAt = this.#services.clock.now()
    return this.run.steps.flatMap((step) =>
      step.status === 'running' ? [{ ...step, ...lost, finishedAt }] : [],
    )
  }
}

/** The token of the first claim of a run. */
const firstToken = '1'
