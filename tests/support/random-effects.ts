import { isFinalStep, type FinalRunStatus } from '#lib/core/status.ts'
import type { Action, AttemptResult, RunEvent } from '#lib/engine/actions.ts'
import { applyEvent } from '#lib/engine/apply-event.ts'
import { changedSteps } from '#lib/engine/changed-steps.ts'
import { initialProgress } from '#lib/engine/initial-progress.ts'
import { nextActions } from '#lib/engine/next-actions.ts'
import { isBounded, plannedAt, type Plan } from '#lib/engine/plan.ts'
import { stepAt, type RunProgress, type StepProgress } from '#lib/engine/progress.ts'
import { restoreProgress } from '#lib/engine/restore-progress.ts'
import { storedStep, type StoredStep } from '#lib/engine/stored-step.ts'
import { countGraph } from '#lib/engine/graph-counts.ts'
import { attemptResult } from './engine-scenario.ts'

export interface RandomEffectsSettings {
  readonly seed: number
  /** How often each of these happens in a thousand turns. */
  readonly stops: number
  readonly losses: number
  readonly nonsense: number
  /** Whether results of attempts depend only on the step and its attempts so far, not on the order of events. */
  readonly fixedResults?: boolean
  readonly rows?: readonly StoredStep[]
}

/** An effect in progress, whose result is delivered at some time. */
interface Pending {
  readonly event: (at: number) => RunEvent
  readonly step: number | undefined
  readonly survives: boolean
}

/**
 * Performs effects in random order, stops runs, loses runners, sends nonsensical events, and throws if the engine asks
 * for something that it must not.
 */
export class RandomEffects {
  readonly plan: Plan
  readonly settings: RandomEffectsSettings
  readonly started = new Set<string>()
  progress: RunProgress
  now = 0
  turns = 0
  stopped = false
  finished: FinalRunStatus | undefined
  /** The rows that a database would have: only what changedSteps returned. */
  readonly rows = new Map<string, StoredStep>()
  #pending: Pending[] = []
  #state: number

  constructor(plan: Plan, settings: RandomEffectsSettings) {
    this.plan = plan
    this.settings = settings
    this.#state = settings.seed
    this.progress = initialProgress(plan, 0)
    if (settings.rows === undefined) return
    for (const row of settings.rows) this.rows.set(row.name, row)
    this.#restore()
  }

  /** @throws Error if the run does not end or breaks a rule */
  run(turnsMax: number): this {
    while (this.finished === undefined) {
      this.turns += 1
      if (this.turns > turnsMax) throw new Error('the run does not end')
      this.#turn()
    }
    return this
  }

  /** A random number from 0 to count - 1 (mulberry32). */
  #draw(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count
  }

  #turn(): void {
    const { stops, losses, nonsense } = this.settings
    this.now += this.#draw(200)
    const lot = this.#draw(1000)
    if (lot < stops) this.#stop()
    else if (lot < stops + losses) this.#restore()
    else if (lot < stops + losses + nonsense) this.#sendNonsense()
    const actions = nextActions(this.plan, this.progress, this.now)
    demand(
      JSON.stringify(actions) ===
        JSON.stringify(nextActions(this.plan, structuredClone(this.progress), this.now)),
      'the same state gives the same actions',
    )
    const finish = actions.find((action) => action.type === 'finish')
    if (finish !== undefined) return this.#finish(actions, finish.status)
    const begun = actions.filter((action) => this.#draw(4) > 0 && this.#perform(action))
    if (this.#pending.length > 0 && (begun.length === 0 || this.#draw(2) === 0)) return this.#answer()
    const wake = actions.find((action) => action.type === 'wake')
    demand(actions.length > 0 || this.#pending.length > 0, 'there is always something to wait for')
    if (begun.length === 0 && wake !== undefined) this.now = Math.max(this.now, wake.at)
  }

  #finish(actions: readonly Action[], status: FinalRunStatus): void {
    demand(actions.length === 1, 'finish is the only action')
    demand(
      this.progress.steps.every((step) => step.phase === 'idle'),
      'nothing is in progress at the end',
    )
    if (this.progress.ending === undefined) demand(this.progress.counts.open === 0, 'every step ended')
    this.finished = status
  }

  #answer(): void {
    const index = this.#draw(this.#pending.length)
    const answer = this.#pending[index]
    // The end of a child run is not delivered before its parent has reattached to it.
    if (answer === undefined || this.#isDetached(answer.step)) return
    this.#pending.splice(index, 1)
    this.#apply(answer.event(this.now))
  }

  #isDetached(step: number | undefined): boolean {
    return step !== undefined && stepAt(this.progress, step).phase === 'reattach_due'
  }

  #stop(): void {
    this.stopped = true
    this.#apply({ type: 'stop-requested', at: this.now })
  }

  #apply(event: RunEvent): void {
    const { plan, progress: before } = this
    const after = applyEvent(plan, before, event)
    this.progress = after
    const changed = changedSteps(before, after)
    for (const index of changed) {
      const planned = plannedAt(plan, index)
      this.rows.set(planned.step.name, storedStep(planned.step.name, stepAt(after, index), 1))
    }
    after.steps.forEach((step, index) => checkTransition(stepAt(before, index), step))
    demand(
      JSON.stringify(after.counts) === JSON.stringify(countGraph(plan, after.steps)),
      'the counts follow from the steps',
    )
    demand(
      !after.steps.some(
        (step, index) => step.status !== stepAt(before, index).status && !changed.includes(index),
      ),
      'a new status is a change',
    )
  }

  /** Another runner takes over from the stored state. */
  #restore(): void {
    const { startedAt, checked, ending, lastStartAt, stoppedAt } = this.progress
    this.#pending = this.#pending.filter(({ survives }) => survives)
    const lost = applyEvent(this.plan, this.progress, { type: 'runner-lost', at: this.now })
    this.progress = restoreProgress(this.plan, this.rows.values(), {
      startedAt,
      checked,
      ending: ending ?? null,
      lastStartAt: lastStartAt ?? null,
      stoppedAt: stoppedAt ?? null,
    })
    this.#apply({ type: 'runner-lost', at: this.now })
    if (this.settings.rows === undefined) {
      lost.steps.forEach((step, index) => {
        // Not stored: that a closing handler was to be stopped, and why the last attempt failed.
        if (!isBounded(this.plan, index) || step.timedOut) return
        // The times of tries are only for people.
        const ignored = { triedAt: undefined, lastTry: undefined }
        const same = isSame({ ...step, ...ignored }, { ...stepAt(this.progress, index), ...ignored })
        demand(same, 'the stored state is complete')
      })
    }
  }

  #sendNonsense(): void {
    const step = this.#draw(this.plan.steps.length + 2) - 1
    const at = this.now
    const events: RunEvent[] = [
      { type: 'run-checking' },
      { type: 'repeat-deciding', step },
      { type: 'stop-sent', step },
      { type: 'timed-out', at },
      { type: 'stop-requested', at: this.progress.stoppedAt ?? -1 },
    ]
    const late = this.progress.steps[step]?.phase === 'idle'
    if (late) {
      events.push(
        { type: 'step-checked', step, at, conditions: [] },
        { type: 'attempt-ended', step, at, result: attemptResult(0) },
        { type: 'repeat-decided', step, at, met: true },
      )
    }
    const event = events[this.#draw(events.length)]
    if (event === undefined || (event.type === 'timed-out' && this.plan.definition.timeoutSec === 0)) return
    if (event.type === 'run-checking' || event.type === 'repeat-deciding' || event.type === 'stop-sent') {
      // Unrequested, these would promise a result that never comes.
      const changes = applyEvent(this.plan, this.progress, event) !== this.progress
      if (changes) return
    }
    this.#apply(event)
  }

  /** @returns whether the action had an effect */
  #perform(action: Action): boolean {
    if (action.type === 'wake' || action.type === 'finish') return false
    if (action.type === 'time-out') {
      this.#apply({ type: 'timed-out', at: this.now })
    } else if (action.type === 'check-run') {
      this.#apply({ type: 'run-checking' })
      const met = this.#draw(5) > 0 || this.settings.fixedResults === true
      this.#await(undefined, () => ({ type: 'run-checked', met }))
    } else {
      this.#performStep(action)
    }
    return true
  }

  #performStep(action: Extract<Action, { readonly step: number }>): void {
    const { step } = action
    if (action.type === 'check-step') {
      this.#checkBegin(step)
      this.#apply({ type: 'step-checking', step })
      const met = this.#chance(step, 'check', 4)
      const { preconditions } = plannedAt(this.plan, step).step
      const conditions = preconditions.map(() => ({ met, error: '' }))
      this.#await(step, (at) => ({ type: 'step-checked', step, conditions, at }))
    } else if (action.type === 'decide-repeat') {
      this.#apply({ type: 'repeat-deciding', step })
      const met = this.#chance(step, `decide ${stepAt(this.progress, step).doneCount}`, 2)
      this.#await(step, (at) => ({ type: 'repeat-decided', step, met, at }))
    } else if (action.type === 'stop-attempt') {
      this.#apply({ type: 'stop-sent', step })
    } else if (action.reattach) {
      this.#apply({ type: 'attempt-started', step, at: this.now })
    } else {
      this.#start(step)
    }
  }

  #start(step: number): void {
    const before = stepAt(this.progress, step)
    if (before.status === 'not_started') this.#checkBegin(step)
    const { delaySec, maxActiveSteps } = this.plan.definition
    if (delaySec > 0 && step < this.plan.graphSize) {
      const last = this.progress.lastStartAt ?? this.progress.startedAt
      demand(this.now >= last + delaySec * 1000, 'starts are spaced')
    }
    demand((before.waitUntil ?? 0) <= this.now, 'nothing starts before its time')
    this.started.add(plannedAt(this.plan, step).step.name)
    this.#apply({ type: 'attempt-started', step, at: this.now })
    demand(stepAt(this.progress, step).phase === 'executing', 'a started step executes')
    if (maxActiveSteps > 0) demand(this.progress.counts.active <= maxActiveSteps, 'the limit is kept')
    const result = this.#result(step, before)
    this.#await(step, (at) => ({ type: 'attempt-ended', step, at, result }))
  }

  /** The rules of which step may start, stated independently of the engine. */
  #checkBegin(index: number): void {
    const { plan, progress } = this
    const graph = progress.steps.slice(0, plan.graphSize)
    const init = plan.handlers.init
    const isDone = (step: StepProgress) => isFinalStep(step.status)
    if (isBounded(plan, index)) {
      demand(progress.ending === undefined, 'no step starts in a run that is ending')
      demand(progress.checked, 'the conditions of the DAG come first')
    }
    if (index < plan.graphSize) {
      demand(init === undefined || isDone(stepAt(progress, init)), 'the init handler comes before the steps')
      for (const upstream of plannedAt(plan, index).dependsOn) {
        const { status, tolerated } = stepAt(progress, upstream)
        const letsGo = status === 'success' || ((status === 'failed' || status === 'skipped') && tolerated)
        demand(letsGo, 'a step starts only if its dependencies allow it')
      }
    } else if (index !== init) {
      const isOver = progress.ending === undefined ? graph.every(isDone) : true
      demand(isOver && graph.every((step) => step.phase === 'idle'), 'handlers come after the steps')
      const others = progress.steps.filter((_, other) => other >= plan.graphSize && other !== index)
      demand(
        others.every((step) => step.phase === 'idle'),
        'one handler at a time',
      )
    }
  }

  #result(step: number, { doneCount }: StepProgress): AttemptResult {
    if (this.#chance(step, `fails ${doneCount}`, 2)) {
      return attemptResult({ partial: !this.#chance(step, `partly ${doneCount}`, 9) })
    }
    const isLate = !this.settings.fixedResults && this.#draw(4) === 0
    return attemptResult({ exitCode: this.#chance(step, `code ${doneCount}`, 2) ? 1 : 3, timedOut: isLate })
  }

  /** False once in `count` times, else true. */
  #chance(step: number, what: string, count: number): boolean {
    if (this.settings.fixedResults !== true) return this.#draw(count) > 0
    return hash(`${plannedAt(this.plan, step).step.name} ${what}`) % count > 0
  }

  #await(step: number | undefined, event: (at: number) => RunEvent): void {
    const isChild = step !== undefined && plannedAt(this.plan, step).step.child !== undefined
    const isAttempt = step !== undefined && stepAt(this.progress, step).phase === 'executing'
    this.#pending.push({ event, step, survives: isChild && isAttempt })
  }
}

function checkTransition(then: StepProgress, now: StepProgress): void {
  if (then.status === now.status) return
  demand(!isFinalStep(then.status), 'a step that ended stays as it is')
  demand(now.status !== 'not_started', 'a started step never becomes not_started')
}

function isSame(a: StepProgress, b: StepProgress): boolean {
  return JSON.stringify(a, Object.keys(a).sort()) === JSON.stringify(b, Object.keys(a).sort())
}

function hash(text: string): number {
  let value = 2_166_136_261
  for (const letter of text) value = Math.imul(value ^ letter.charCodeAt(0), 16_777_619)
  return (value ^ (value >>> 15)) >>> 0
}

function demand(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`broken: ${rule}`)
}
