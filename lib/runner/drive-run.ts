import { failpoint } from '#lib/core/failpoint.ts'
import type { FinalRunStatus } from '#lib/core/status.ts'
import { applyEvent } from '#lib/engine/apply-event.ts'
import type { Action, RunEvent } from '#lib/engine/actions.ts'
import { nextActions } from '#lib/engine/next-actions.ts'
import type { Plan } from '#lib/engine/plan.ts'
import type { RunProgress } from '#lib/engine/progress.ts'
import { RunTasks, type LongAction } from './run-tasks.ts'
import type { RunChange, RunWorld } from './run-world.ts'

/** `lost`: another runner owns the run, or it could not be recorded; either way this runner has forgotten it. */
export type DriveEnd = 'finished' | 'given back' | 'lost'

export interface RunOutcome {
  readonly status: FinalRunStatus
  /** Empty when there is none. */
  readonly error: string
}

export interface DriveOptions {
  readonly plan: Plan
  /** Restored from the stored rows. */
  readonly progress: RunProgress
  /** Places of steps that have begun with the claim of the run: they are executed at once. */
  readonly begun?: readonly number[]
  /** Events that happened since, applied before anything is done. */
  readonly events?: readonly RunEvent[]
  readonly world: RunWorld
  /** Called when {@link RunDrive.isBusy} may have changed. */
  readonly onBusy: () => void
}

/** A run that only waits for a time further away than this is given back until then. Milliseconds. */
const giveBackWaitMs = 60_000
const timerMsMax = 2_147_483_647

/**
 * Drives one run: asks the engine for the next actions, makes the resulting state durable, only then carries the
 * actions out, and applies their results as events. The end of one step and the start of the next go into one record.
 */
export class RunDrive {
  readonly done: Promise<DriveEnd>
  readonly #options: DriveOptions
  readonly #settle: (end: DriveEnd) => void
  #outcome: RunOutcome | undefined
  #progress: RunProgress
  #recorded: RunProgress
  #survived = false
  #begun: readonly number[]
  #durable: Promise<unknown> = Promise.resolve()
  #state: 'driving' | 'handing over' | 'ending' = 'driving'
  readonly #tasks: RunTasks
  #wake: NodeJS.Timeout | undefined

  constructor(options: DriveOptions) {
    const { promise, resolve } = Promise.withResolvers<DriveEnd>()
    this.done = promise
    this.#settle = resolve
    this.#options = options
    const { plan, world } = options
    this.#tasks = new RunTasks({
      plan,
      world,
      progress: () => this.#progress,
      onEvent: (event) => {
        this.#survived ||= event.type === 'attempt-ended'
        this.apply(event)
      },
    })
    this.#progress = options.progress
    this.#begun = options.begun ?? []
    for (const step of this.#begun)
      this.#take({ type: 'attempt-started', step, at: options.progress.startedAt })
    this.#recorded = this.#progress
    for (const event of options.events ?? []) this.#take(event)
  }

  /** True while something of the run executes on this machine. A run that only waits occupies no slot. */
  get isBusy(): boolean {
    return this.#state === 'ending' || this.#tasks.isBusy
  }

  /** Steps that execute on this machine. */
  get executing(): number {
    return this.#tasks.executing
  }

  /** How the run ended; undefined until then, or when this runner did not end it. */
  get outcome(): RunOutcome | undefined {
    return this.#outcome
  }

  /** Applies an event and does what is due. Without an event: starts the drive, or continues it. */
  apply(event?: RunEvent): void {
    if (this.#state === 'ending') return
    this.#carryOn()
    if (event !== undefined) this.#take(event)
    this.#proceed()
  }

  /** Begins nothing more, and gives the run back once no task is running. Its child runs continue. */
  handOver(): void {
    if (this.#state !== 'driving') return
    this.#carryOn()
    this.#state = 'handing over'
    this.#tasks.handOverChildren()
    this.#proceed()
  }

  /** Kills all tasks and gives the run back. Its next owner finds running attempts and treats them as lost. */
  async giveBackNow(): Promise<void> {
    if (this.#state === 'ending') return
    await this.#killAll()
    await this.#release(undefined)
  }

  /** The lease is lost: kills all tasks and forgets the run, without recording anything. */
  async forget(): Promise<void> {
    if (this.#state === 'ending') return
    await this.#killAll()
    this.#settle('lost')
  }

  /** Executes what has begun with the claim, which is durable. */
  #carryOn(): void {
    if (this.#begun.length === 0) return
    for (const step of this.#begun) this.#tasks.add({ type: 'start-attempt', step, reattach: false })()
    this.#begun = []
  }

  #take(event: RunEvent): void {
    this.#progress = applyEvent(this.#options.plan, this.#progress, event)
    this.#options.world.tell(event, this.#progress)
  }

  #proceed(): void {
    clearTimeout(this.#wake)
    const effects: (() => void)[] = []
    let rest = this.#nextActions()
    while (rest.filter((action) => this.#act(action, effects)).length > 0) rest = this.#nextActions()
    const finish = rest.find((action) => action.type === 'finish')
    if (finish !== undefined) {
      void this.#finish(finish)
      return
    }
    this.#tasks.abandonChecks(this.#progress)
    this.#commit(effects)
    const wake = rest.find((action) => action.type === 'wake')
    if (this.#tasks.size === 0 && this.#state === 'handing over') void this.#release(undefined)
    else if (wake !== undefined) this.#waitUntil(wake.at)
    this.#options.onBusy()
  }

  #nextActions(): Action[] {
    const { plan, world } = this.#options
    return nextActions(plan, this.#progress, world.now())
  }

  /**
   * @returns whether the action was begun; its effect is appended to `effects`, to be run after the record is durable
   */
  #act(action: Action, effects: (() => void)[]): boolean {
    const at = this.#options.world.now()
    if (action.type === 'wake' || action.type === 'finish') return false
    if (action.type === 'time-out') this.#take({ type: 'timed-out', at })
    else if (action.type === 'stop-attempt') {
      this.#tasks.stopAttempt(action.step, action.reason)
      this.#take({ type: 'stop-sent', step: action.step })
    } else {
      if (this.#state !== 'driving') return false
      this.#take(beginning(action, at))
      effects.push(this.#tasks.add(action))
    }
    return true
  }

  /** Makes the state durable, then performs the effects. */
  #commit(effects: readonly (() => void)[]): void {
    if (this.#progress !== this.#recorded) this.#durable = this.#record({})
    if (effects.length === 0) return
    void this.#afterRecord(effects)
  }

  async #afterRecord(effects: readonly (() => void)[]): Promise<void> {
    await this.#durable
    failpoint('record.durable')
    if (this.#state !== 'ending') for (const effect of effects) effect()
  }

  /** Settles when the change is durable. When it cannot be recorded, the run is forgotten first. */
  async #record(more: Pick<RunChange, 'finish' | 'release'>): Promise<boolean> {
    const change = { before: this.#recorded, after: this.#progress, survived: this.#survived, ...more }
    this.#recorded = this.#progress
    this.#survived = false
    const answer = await this.#options.world.record(change).catch(() => 'lost' as const)
    if (answer === 'recorded') return true
    await this.forget()
    return false
  }

  async #finish(finish: Extract<Action, { type: 'finish' }>): Promise<void> {
    this.#state = 'ending'
    const { world } = this.#options
    const { status, error } = finish
    this.#outcome = { status, error }
    world.tellEnd({ status, error })
    failpoint('run.ending')
    await world.flush()
    failpoint('run.written')
    const isRecorded = await this.#record({ finish: { status, error } })
    failpoint('run.ended')
    this.#settle(isRecorded ? 'finished' : 'lost')
  }

  #waitUntil(at: number): void {
    const ms = at - this.#options.world.now()
    if (ms > giveBackWaitMs && this.#tasks.size === 0) {
      void this.#release(at)
      return
    }
    this.#wake = setTimeout(() => this.apply(), Math.min(Math.max(0, ms), timerMsMax))
  }

  async #release(readyAt: number | undefined): Promise<void> {
    this.#state = 'ending'
    const { world } = this.#options
    world.tellEnd('given back')
    await world.flush()
    this.#settle((await this.#record({ release: { readyAt } })) ? 'given back' : 'lost')
  }

  async #killAll(): Promise<void> {
    this.#state = 'ending'
    clearTimeout(this.#wake)
    await this.#tasks.killAll()
  }
}

/** The event that marks an action as begun. */
function beginning(action: LongAction, at: number): RunEvent {
  if (action.type === 'check-run') return { type: 'run-checking' }
  const { step } = action
  if (action.type === 'check-step') return { type: 'step-checking', step }
  if (action.type === 'decide-repeat') return { type: 'repeat-deciding', step }
  return { type: 'attempt-started', step, at }
}
