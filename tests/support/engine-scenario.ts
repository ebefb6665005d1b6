import type { Action, AttemptResult, RunEvent } from '#lib/engine/actions.ts'
import type { Definition } from '#lib/definition/definition.ts'
import type { FinalRunStatus, StepStatus } from '#lib/core/status.ts'
import type { RunProgress, StepProgress } from '#lib/engine/progress.ts'
import { applyEvent } from '#lib/engine/apply-event.ts'
import { initialProgress } from '#lib/engine/initial-progress.ts'
import { nextActions } from '#lib/engine/next-actions.ts'
import { planRun, plannedAt, type Plan } from '#lib/engine/plan.ts'
import { restoreProgress } from '#lib/engine/restore-progress.ts'
import { storedStep, type StoredStep } from '#lib/engine/stored-step.ts'

/** The result of one attempt; a plain number is its exit code. */
export type Attempt = number | (Partial<AttemptResult> & { readonly lastsMs?: number })

/** The results of effects, by the names of steps. The last entry of a list is repeated. */
export interface Script {
  /** Missing: success. */
  readonly attempts?: Readonly<Record<string, readonly Attempt[]>>
  /** Steps whose preconditions are not met. */
  readonly unmet?: readonly string[]
  readonly runUnmet?: boolean
  /** Results of the condition of a repeat policy. */
  readonly repeatMet?: Readonly<Record<string, readonly boolean[]>>
  /** When stops are requested, milliseconds of virtual time. */
  readonly stopAt?: readonly number[]
  /** When the runner dies and another restores the run from the stored state, milliseconds of virtual time. */
  readonly lostAt?: readonly number[]
  /** Rows of an earlier attempt of the run. */
  readonly rows?: readonly StoredStep[]
}

export interface Played {
  readonly status: FinalRunStatus
  readonly error: string
  /** The steps of the DAG. */
  readonly steps: Readonly<Record<string, StepStatus>>
  /** The handlers that ran, by their names in handlerOn. */
  readonly handlers: Readonly<Record<string, StepStatus>>
  /** When attempts were started, milliseconds from the start of the run, without reattached ones. */
  readonly starts: Readonly<Record<string, readonly number[]>>
  readonly endedAt: number
  readonly progressOf: (name: string) => StepProgress
  readonly rows: StoredStep[]
  readonly plan: Plan
}

const attemptMs = 10
const roundsMax = 100_000

/** Plays a run in virtual time from 0, with scripted effects. */
export function play(definition: Definition, script: Script = {}): Played {
  return new Scenario(planRun(definition), script).play()
}

class Scenario {
  readonly #plan: Plan
  readonly #script: Script
  #progress: RunProgress
  #now = 0
  #ahead: { at: number; event: RunEvent | 'restart' }[] = []
  readonly #starts: Record<string, number[]> = {}
  readonly #decisions: Record<string, number> = {}

  constructor(plan: Plan, script: Script) {
    this.#plan = plan
    this.#script = script
    const fresh = { startedAt: 0, checked: false, ending: null, lastStartAt: null, stoppedAt: null }
    this.#progress = initialProgress(plan, 0)
    if (script.rows !== undefined) {
      this.#progress = restoreProgress(plan, script.rows, fresh)
      this.#apply({ type: 'runner-lost', at: 0 })
    }
    for (const at of script.stopAt ?? []) this.#later(at, { type: 'stop-requested', at })
    for (const at of script.lostAt ?? []) this.#later(at, 'restart')
  }

  play(): Played {
    for (let round = 0; round < roundsMax; round += 1) {
      const actions = nextActions(this.#plan, this.#progress, this.#now)
      const begun = actions.filter((action) => this.#perform(action)).length
      const finish = actions.find((action) => action.type === 'finish')
      if (finish !== undefined) return this.#end(finish)
      if (begun === 0) this.#advance(actions.find((action) => action.type === 'wake')?.at)
    }
    throw new Error('the run does not end')
  }

  #end({ status, error }: Extract<Action, { type: 'finish' }>): Played {
    const names = this.#plan.steps.map(({ step }) => step.name)
    const statuses = this.#progress.steps.map((step) => step.status)
    const handlers = this.#plan.steps.flatMap(({ handler }, index): [string, StepStatus][] => {
      const status = statuses[index]
      return handler === undefined || status === undefined || status === 'not_started'
        ? []
        : [[handler, status]]
    })
    return {
      status,
      error,
      steps: Object.fromEntries(
        names.slice(0, this.#plan.graphSize).map((name, index) => [name, statuses[index] ?? 'not_started']),
      ),
      handlers: Object.fromEntries(handlers),
      starts: this.#starts,
      endedAt: this.#now,
      progressOf: (name) => this.#progress.steps[names.indexOf(name)] ?? missing(name),
      rows: this.#rows(),
      plan: this.#plan,
    }
  }

  #rows(): StoredStep[] {
    return this.#progress.steps.flatMap((step, index) =>
      step.status === 'not_started' ? [] : [storedStep(plannedAt(this.#plan, index).step.name, step, 1)],
    )
  }

  #later(at: number, event: RunEvent | 'restart'): void {
    this.#ahead.push({ at, event })
  }

  #apply(event: RunEvent): void {
    this.#progress = applyEvent(this.#plan, this.#progress, event)
  }

  #advance(wakeAt: number | undefined): void {
    const next = this.#ahead.toSorted((a, b) => a.at - b.at)[0]
    if (next === undefined || (wakeAt !== undefined && wakeAt < next.at)) {
      if (wakeAt === undefined) throw new Error('nothing is under way and the run has not ended')
      this.#now = wakeAt
      return
    }
    this.#ahead.splice(this.#ahead.indexOf(next), 1)
    this.#now = Math.max(this.#now, next.at)
    if (next.event === 'restart') this.#restart()
    else this.#apply(next.event)
  }

  /** Child runs survive the restart, so the ends of their attempts still come. */
  #restart(): void {
    const { startedAt, checked, ending, lastStartAt, stoppedAt } = this.#progress
    this.#ahead = this.#ahead.filter(
      ({ event }) =>
        event === 'restart' ||
        event.type === 'stop-requested' ||
        (event.type === 'attempt-ended' && plannedAt(this.#plan, event.step).step.child !== undefined),
    )
    this.#progress = restoreProgress(this.#plan, this.#rows(), {
      startedAt,
      checked,
      ending: ending ?? null,
      lastStartAt: lastStartAt ?? null,
      stoppedAt: ending === 'stopped' ? (stoppedAt ?? null) : null,
    })
    this.#apply({ type: 'runner-lost', at: this.#now })
    if (stoppedAt !== undefined) this.#apply({ type: 'stop-requested', at: stoppedAt })
  }

  /** @returns whether the action had an effect */
  #perform(action: Action): boolean {
    const at = this.#now
    switch (action.type) {
      case 'check-run':
        this.#apply({ type: 'run-checking' })
        this.#later(at, { type: 'run-checked', met: this.#script.runUnmet !== true })
        return true
      case 'check-step':
        this.#check(action.step)
        return true
      case 'start-attempt':
        this.#apply({ type: 'attempt-started', step: action.step, at })
        if (!action.reattach) this.#start(action.step)
        return true
      case 'decide-repeat':
        this.#decide(action.step)
        return true
      case 'stop-attempt': {
        const { step } = action
        this.#apply({ type: 'stop-sent', step })
        this.#ahead = this.#ahead.filter(({ event }) => event === 'restart' || !endsAttempt(event, step))
        const result = { ...attemptResult(0), stopped: true }
        this.#later(at + 1, { type: 'attempt-ended', step, at: at + 1, result })
        return true
      }
      case 'time-out':
        this.#apply({ type: 'timed-out', at })
        return true
      case 'wake':
      case 'finish':
        break
    }
    return false
  }

  #nameOf(index: number): string {
    return plannedAt(this.#plan, index).step.name
  }

  #check(step: number): void {
    this.#apply({ type: 'step-checking', step })
    const met = !(this.#script.unmet ?? []).includes(this.#nameOf(step))
    const { preconditions } = plannedAt(this.#plan, step).step
    const conditions = preconditions.map(() => ({ met, error: met ? '' : 'not met' }))
    this.#later(this.#now, { type: 'step-checked', step, conditions, at: this.#now })
  }

  #start(step: number): void {
    const name = this.#nameOf(step)
    const starts = (this.#starts[name] ??= [])
    const attempts = this.#script.attempts?.[name] ?? []
    const attempt = attempts[Math.min(starts.length, attempts.length - 1)] ?? 0
    starts.push(this.#now)
    const at = this.#now + (typeof attempt === 'number' ? attemptMs : (attempt.lastsMs ?? attemptMs))
    this.#later(at, { type: 'attempt-ended', step, at, result: attemptResult(attempt) })
  }

  #decide(step: number): void {
    this.#apply({ type: 'repeat-deciding', step })
    const name = this.#nameOf(step)
    const asked = this.#decisions[name] ?? 0
    this.#decisions[name] = asked + 1
    const answers = this.#script.repeatMet?.[name] ?? []
    const met = answers[Math.min(asked, answers.length - 1)] ?? false
    this.#later(this.#now, { type: 'repeat-decided', step, met, at: this.#now })
  }
}

/** The result that an executor would report. */
export function attemptResult(attempt: Attempt): AttemptResult {
  const given = typeof attempt === 'number' ? { exitCode: attempt } : attempt
  const exitCode = given.exitCode ?? 0
  return {
    exitCode,
    error: given.error ?? (exitCode === 0 ? '' : `exit status ${exitCode}`),
    stopped: given.stopped ?? false,
    timedOut: given.timedOut ?? false,
    outputs: given.outputs ?? {},
    outputMatched: given.outputMatched ?? false,
    partial: given.partial ?? false,
  }
}

function endsAttempt(event: RunEvent, step: number): boolean {
  return event.type === 'attempt-ended' && event.step === step
}

function missing(name: string): never {
  throw new Error(`no step is named ${name}`)
}
