import { failpoint } from '#lib/core/failpoint.ts'
import { messageOf } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { whileUnreachable } from '#lib/db/while-unreachable.ts'
import type { RunEvent } from '#lib/engine/actions.ts'
import type { Plan } from '#lib/engine/plan.ts'
import { restoreProgress } from '#lib/engine/restore-progress.ts'
import type { StopReason } from '#lib/executors/executor.ts'
import { runLogKey, type LogStore } from '#lib/logs/log-store.ts'
import { definitionOf, type ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import { fencedLogs } from '../fencing/fenced-logs.ts'
import { prepareRun, type PreparedRun } from '../inputs/prepare-run.ts'
import { maskedError } from '../log/mask.ts'
import { endLine, withheldLine } from '../log/run-log-lines.ts'
import { openRunLog, type RunLog } from '../log/run-log.ts'
import { traceRun, type RunTrace } from '../log/run-trace.ts'
import type { RunnerDeps } from '../runner-deps.ts'
import { createEffects } from './create-effects.ts'
import { mailUnstartedRun } from './mail-unstarted-run.ts'
import { unstartedItem } from './record-item.ts'
import { removeContainers } from './remove-containers.ts'
import { RunDriver } from './run-driver.ts'
import type { RunEnd } from './run-effects.ts'
import { SessionState, type SessionEnd } from './session-state.ts'

const firstToken = '1'

/** The work of this runner on one claimed run. Its phases are those of {@link SessionState}. */
export class RunSession {
  readonly run: ClaimedRun
  /** Settles when the session has ended. Never rejects. */
  readonly done: Promise<SessionEnd>
  readonly #deps: RunnerDeps
  readonly #onBusy: () => void
  readonly #state = new SessionState()
  /** Aborts commands that run during the preparation. */
  readonly #preparing = new AbortController()
  /** Aborted when another runner owns the run: later writes of this one are dropped. */
  readonly #forgotten = new AbortController()
  readonly #atEnd: (() => Promise<void>)[] = []
  readonly #logs: LogStore
  readonly #trace: RunTrace | undefined
  #driver: RunDriver | undefined
  /** Set once the definition has been read. */
  #plan: Plan | undefined
  #stopAt: number | undefined

  constructor(run: ClaimedRun, deps: RunnerDeps, onBusy: () => void) {
    this.run = run
    this.#deps = deps
    this.#onBusy = onBusy
    this.#stopAt = run.stopRequestedAt
    const { runId, dagName: dag, attempt, token } = run
    const { log } = deps
    log.debug({ event: 'run.claimed', runId, dag, attempt }, 'claimed')
    this.#logs = fencedLogs(deps.logs, deps.lease, {
      token,
      forgotten: this.#forgotten.signal,
      onRefused: (error) =>
        log.warn(
          { event: 'log.refused', runId, dag, error },
          'the log store accepts no output; trying again',
        ),
    })
    this.#trace = traceRun(deps.traces, run)
    this.done = this.#live()
  }

  /** True while the run occupies a slot. */
  get isBusy(): boolean {
    return this.#driver === undefined || !this.#state.isOpen || this.#driver.executing > 0
  }

  /** Number of steps that execute on this machine. */
  get executing(): number {
    return this.#driver?.executing ?? 0
  }

  /** Stops the run, as was requested at this time of the database clock. Idempotent. */
  stop(at: number): void {
    if (this.#stopAt !== undefined && at <= this.#stopAt) return
    this.#stopAt = at
    this.#preparing.abort('stopped' satisfies StopReason)
    this.#driver?.apply({ type: 'stop-requested', at })
  }

  /** Lets running steps finish, then gives the run back. */
  drain(): void {
    if (this.#state.take('drain')) this.#driver?.drain()
  }

  /** Kills the running steps and gives the run back. The next owner treats their attempts as lost. */
  release(): void {
    this.#state.take('release')
    this.#preparing.abort('lease_lost' satisfies StopReason)
  }

  /** Kills the running steps and forgets the run, because another runner owns it. */
  lose(): void {
    this.#state.take('lose')
    this.#forgotten.abort()
    this.#preparing.abort('lease_lost' satisfies StopReason)
    this.#deps.journal.forget(this.run.runKey)
  }

  async #live(): Promise<SessionEnd> {
    const end = await this.#work()
    await this.#tidyUp()
    this.#logEnd(end)
    return this.#state.end
  }

  async #work(): Promise<RunEnd> {
    const { run } = this
    const { log, clock, owner } = this.#deps
    let secrets: readonly string[] = []
    let runLog: RunLog | undefined
    try {
      const isFirst = run.token === firstToken
      runLog = await openRunLog(this.#logs, runLogKey(run), { isFirst, secrets: () => secrets })
      runLog.line(clock.now(), `run ${run.runId} of ${run.dagName} claimed by runner ${owner}`)
      const prepared = await this.#prepare()
      const { withheldParams, maskedValues } = prepared.facts
      secrets = maskedValues
      if (prepared.isFresh && withheldParams.length > 0)
        runLog.line(clock.now(), withheldLine(withheldParams))
      if (!isFirst) await removeContainers(run, prepared.facts, this.#deps)
      this.#state.take('prepared')
      return this.#state.isOpen ? await this.#drive(prepared, runLog) : await this.#endUnstarted('', runLog)
    } catch (error) {
      const shown = maskedError(error, secrets)
      log.warn({ event: 'run.refused', runId: run.runId, error: shown }, 'a run could not be started')
      return await this.#endUnstarted(messageOf(shown), runLog)
    }
  }

  async #prepare(): Promise<PreparedRun> {
    const { run } = this
    const { db, definitions, warden } = this.#deps
    const plan = await whileUnreachable(
      () => definitions.plan(db, definitionOf(run), run.document),
      () => this.#state.isOpen,
    )
    this.#plan = plan
    const prepared = await prepareRun(
      run,
      plan,
      { ...this.#deps, logs: this.#logs },
      {
        signal: this.#preparing.signal,
        cleanUpMs: plan.definition.maxCleanUpTimeSec * 1_000,
        onProcessGroup: warden.group,
      },
    )
    this.#atEnd.push(prepared.close)
    failpoint('run.prepared')
    return prepared
  }

  async #drive({ facts, isFresh }: PreparedRun, log: RunLog): Promise<RunEnd> {
    const { run } = this
    const { plan } = facts
    const runner = this.#deps
    const effects = createEffects({
      run,
      facts,
      log,
      runner,
      children: runner.children.of(run),
      isFresh,
      onLost: () => this.#forgotten.abort(),
      trace: this.#trace,
      runOfStep: { ...run, owner: runner.owner, atEnd: (act) => this.#atEnd.push(act) },
    })
    const progress = restoreProgress(plan, run.steps, {
      startedAt: run.startedAt,
      checked: run.checked,
      ending: run.ending ?? null,
      lastStartAt: run.lastStartAt ?? null,
      stoppedAt: (run.ending === 'stopped' ? run.stopRequestedAt : undefined) ?? null,
    })
    const openingSteps = run.begun.map(({ place }) => place)
    const isLast = run.lostCount >= limits.lostRunnersMax
    const lost: RunEvent = { type: 'runner-lost', at: runner.clock.now(), isLast }
    const events: RunEvent[] = openingSteps.length > 0 ? [] : [lost]
    if (this.#stopAt !== undefined) events.push({ type: 'stop-requested', at: this.#stopAt })
    const shared = { state: this.#state, onBusy: this.#onBusy }
    const driver = new RunDriver({ plan, progress, openingSteps, events, effects, ...shared })
    this.#driver = driver
    await driver.drive()
    await effects.mailed()
    await log.close()
    return driver.end
  }

  /**
   * Ends a session that executed nothing. No handler runs, because the run was not prepared.
   * @param error why the run could not be started: it fails, unless it was stopped, is released or lost
   */
  async #endUnstarted(error: string, log: RunLog | undefined): Promise<RunEnd> {
    const { journal, clock } = this.#deps
    const state = this.#state
    state.take('finish')
    const status = this.#stopAt === undefined ? 'failed' : 'cancelled'
    const end: RunEnd =
      state.phase === 'releasing' ? { release: { readyAtMs: null } } : { finish: { status, error } }
    if (state.phase === 'finishing' || state.phase === 'releasing') {
      log?.line(clock.now(), endLine(end))
      await log?.close().catch(() => undefined)
      const result = await journal.record(unstartedItem(this.run, end, clock.now())).catch(() => 'lost')
      state.take(result === 'recorded' ? 'recorded' : 'refused')
    } else state.take('refused')
    if (state.phase === 'finished') {
      this.#trace?.runEnded(this.run.startedAt, clock.now(), status, error)
      const definition = status === 'failed' ? this.#plan?.definition : undefined
      if (definition !== undefined) await mailUnstartedRun(this.run, definition, error, this.#deps)
    }
    return end
  }

  /** Removes the folders and other leftovers of the run on this machine, whoever owns it now. */
  async #tidyUp(): Promise<void> {
    const { log } = this.#deps
    const { runId } = this.run
    for (const outcome of await Promise.allSettled(this.#atEnd.map((act) => act()))) {
      if (outcome.status === 'fulfilled') continue
      log.warn({ event: 'run.left-behind', runId, error: outcome.reason as unknown }, 'left behind')
    }
  }

  #logEnd(end: RunEnd): void {
    const { log, clock } = this.#deps
    const { runId, dagName: dag, attempt, startedAt } = this.run
    const how = this.#state.end
    const event = { event: eventOf[how], runId, dag, attempt }
    if (how !== 'finished' || !('finish' in end)) return log.info(event, how)
    const { status } = end.finish
    // The lines after the first are output of a step.
    const error = end.finish.error.split('\n', 1)[0] ?? ''
    const durationMs = Math.max(0, Math.round(clock.now() - startedAt))
    log.info({ ...event, status, durationMs, ...(error !== '' && { error }) }, `the run ended: ${status}`)
  }
}

const eventOf = {
  finished: 'run.finished',
  released: 'run.released',
  lost: 'run.lease-lost',
} as const satisfies Readonly<Record<SessionEnd, string>>
