import { failpoint } from '#lib/core/failpoint.ts'
import { applyEvent } from '#lib/engine/apply-event.ts'
import type { Action, RunEvent } from '#lib/engine/actions.ts'
import { nextActions } from '#lib/engine/next-actions.ts'
import type { Plan } from '#lib/engine/plan.ts'
import type { RunProgress } from '#lib/engine/progress.ts'
import type { LongAction, RunEffects, RunEnd } from './run-effects.ts'
import { RunTasks } from './run-tasks.ts'
import type { SessionState } from './session-state.ts'

export interface DriverOptions {
  readonly plan: Plan
  /** Restored from the stored rows. */
  readonly progress: RunProgress
  /** Indexes of the steps that the claim recorded as running. */
  readonly openingSteps: readonly number[]
  /** Events since then, applied before the first decision. */
  readonly events: readonly RunEvent[]
  readonly effects: RunEffects
  readonly state: SessionState
  /** Called when {@link RunDriver.executing} may have changed. */
  readonly onBusy: () => void
}

/** A run whose next event is further away than this is released until then. Milliseconds. */
const releaseWaitMs = 60_000
const timerMsMax = 2_147_483_647

/**
 * Drives one run: asks the engine for the next actions, makes the new state durable, performs the effects, and applies
 * their results as events. The end of a step and the start of the next share a record.
 */
export class RunDriver {
  readonly #options: DriverOptions
  readonly #tasks: RunTasks
  #progress: RunProgress
  #recorded: RunProgress
  #survived = false
  #durable: Promise<unknown> = Promise.resolve()
  #wake: NodeJS.Timeout | undefined
  #end: RunEnd = { release: { readyAtMs: null } }

  constructor(options: DriverOptions) {
    this.#options = options
    const { plan, effects } = options
    this.#progress = options.progress
    this.#recorded = options.progress
    this.#tasks = new RunTasks({
      plan,
      effects,
      progress: () => this.#progress,
      onEvent: (event) => {
        this.#survived ||= event.type === 'attempt-ended'
        this.apply(event)
      },
    })
  }

  /** Number of tasks that execute on this machine. A run that only waits has none, and occupies no slot. */
  get executing(): number {
    return this.#tasks.executing
  }

  /** How the run ended, once the session is finished or released. */
  get end(): RunEnd {
    return this.#end
  }

  /** Drives the run until the session has ended; `state` then says how. */
  async drive(): Promise<void> {
    const { openingSteps, events, progress, state } = this.#options
    for (const step of openingSteps) this.#applyOne({ type: 'attempt-started', step, at: progress.startedAt })
    // The claim has made these steps durable: they start at once.
    this.#recorded = this.#progress
    const effects = openingSteps.map((step) =>
      this.#tasks.add({ type: 'start-attempt', step, reattach: false }),
    )
    for (const event of events) this.#applyOne(event)
    for (const effect of effects) effect()
    this.#proceed()
    await state.closing
    await this.#close()
  }

  /** Applies an event, and performs the actions that are due. */
  apply(event?: RunEvent): void {
    if (!this.#options.state.isOpen) return
    if (event !== undefined) this.#applyOne(event)
    this.#proceed()
  }

  /** Leaves child runs to the next owner. To be called when the session drains. */
  drain(): void {
    this.#tasks.leaveChildren()
    this.#proceed()
  }

  #applyOne(event: RunEvent): void {
    this.#progress = applyEvent(this.#options.plan, this.#progress, event)
    this.#options.effects.publish(event, this.#progress)
  }

  #proceed(): void {
    clearTimeout(this.#wake)
    const effects: (() => void)[] = []
    let rest = this.#nextActions()
    while (rest.filter((action) => this.#act(action, effects)).length > 0) rest = this.#nextActions()
    const finish = rest.find((action) => action.type === 'finish')
    if (finish !== undefined) {
      this.#end = { finish: { status: finish.status, error: finish.error } }
      this.#options.state.take('finish')
      return
    }
    this.#tasks.abandonChecks(this.#progress)
    this.#commit(effects)
    this.#scheduleWake(rest.find((action) => action.type === 'wake')?.at)
    this.#options.onBusy()
  }

  #nextActions(): Action[] {
    const { plan, effects } = this.#options
    return nextActions(plan, this.#progress, effects.now())
  }

  /**
   * @returns whether the action was taken; its effect is appended to `effects`, to be performed once the state is
   * durable
   */
  #act(action: Action, effects: (() => void)[]): boolean {
    const at = this.#options.effects.now()
    if (action.type === 'wake' || action.type === 'finish') return false
    if (action.type === 'time-out') this.#applyOne({ type: 'timed-out', at })
    else if (action.type === 'stop-attempt') {
      this.#tasks.stopAttempt(action.step, action.reason)
      this.#applyOne({ type: 'stop-sent', step: action.step })
    } else {
      if (this.#options.state.phase !== 'driving') return false
      this.#applyOne(startEvent(action, at))
      effects.push(this.#tasks.add(action))
    }
    return true
  }

  /** Makes the state durable, then performs the effects. */
  #commit(effects: readonly (() => void)[]): void {
    if (this.#progress !== this.#recorded) this.#durable = this.#record()
    if (effects.length > 0) void this.#perform(effects)
  }

  async #perform(effects: readonly (() => void)[]): Promise<void> {
    await this.#durable
    failpoint('record.durable')
    if (this.#options.state.isOpen) for (const effect of effects) effect()
  }

  /** Resolves when the change is durable. If it cannot be recorded, the run is lost. */
  async #record(end?: RunEnd): Promise<'recorded' | 'refused'> {
    const { effects, state } = this.#options
    const change = { before: this.#recorded, after: this.#progress, survived: this.#survived, end }
    this.#recorded = this.#progress
    this.#survived = false
    if ((await effects.record(change).catch(() => 'lost')) === 'recorded') return 'recorded'
    state.take('lose')
    return 'refused'
  }

  /** Sets a timer for the next action that is due; if that is far away, releases the run until then. */
  #scheduleWake(wakeAt: number | undefined): void {
    const { effects, state } = this.#options
    const ms = wakeAt === undefined ? Infinity : wakeAt - effects.now()
    const isIdle = this.#tasks.size === 0
    if (isIdle && (state.phase === 'draining' || (wakeAt !== undefined && ms > releaseWaitMs))) {
      this.#end = { release: { readyAtMs: state.phase === 'draining' ? null : (wakeAt ?? null) } }
      state.take('idle')
    } else if (wakeAt !== undefined) {
      this.#wake = setTimeout(() => this.apply(), Math.min(Math.max(0, ms), timerMsMax))
    }
  }

  async #close(): Promise<void> {
    const { effects, state } = this.#options
    clearTimeout(this.#wake)
    if (state.phase !== 'finishing') await this.#tasks.killAll()
    if (state.phase === 'losing') {
      state.take('refused')
      return
    }
    effects.publishEnd(this.#end)
    failpoint('run.ending')
    await effects.flush()
    failpoint('run.written')
    const answer = await this.#record(this.#end)
    failpoint('run.ended')
    state.take(answer)
  }
}

function startEvent(action: LongAction, at: number): RunEvent {
  if (action.type === 'check-run') return { type: 'run-checking' }
  const { step } = action
  if (action.type === 'check-step') return { type: 'step-checking', step }
  if (action.type === 'decide-repeat') return { type: 'repeat-deciding', step }
  return { type: 'attempt-started', step, at }
}
