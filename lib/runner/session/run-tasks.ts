import type { RunEvent } from '#lib/engine/actions.ts'
import type { Plan } from '#lib/engine/plan.ts'
import type { RunProgress } from '#lib/engine/progress.ts'
import type { StopReason } from '#lib/executors/executor.ts'
import type { LongAction, RunEffects } from './run-effects.ts'

export interface RunTasksOptions {
  readonly plan: Plan
  readonly effects: RunEffects
  /** Returns the current progress of the run. */
  readonly progress: () => RunProgress
  /** Receives the results of tasks that were not abandoned meanwhile. */
  readonly onEvent: (event: RunEvent) => void
}

interface Task {
  readonly action: LongAction
  readonly stop: AbortController
  /** True when the task only waits for child runs. */
  readonly isWaiting: boolean
}

const kinds = { 'check-step': 'check', 'start-attempt': 'attempt', 'decide-repeat': 'decide' } as const

/** The attempts and condition checks in progress of a run: at most one of each kind per step. */
export class RunTasks {
  readonly #options: RunTasksOptions
  readonly #tasks = new Map<string, Task>()
  readonly #settled = new Set<Promise<void>>()

  constructor(options: RunTasksOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#tasks.size
  }

  /** Number of tasks that execute on this machine. */
  get executing(): number {
    let count = 0
    for (const { isWaiting } of this.#tasks.values()) if (!isWaiting) count += 1
    return count
  }

  /** Registers an action, and returns the function that performs it. */
  add(action: LongAction): () => void {
    const name = action.type === 'check-run' ? 'check-run' : `${kinds[action.type]} ${action.step}`
    const isWaiting =
      action.type === 'start-attempt' && this.#options.plan.steps[action.step]?.step.child !== undefined
    const task: Task = { action, isWaiting, stop: new AbortController() }
    this.#tasks.set(name, task)
    return () => {
      const { effects, progress } = this.#options
      const settled = effects.perform(action, progress(), task.stop).then((event) => {
        if (this.#tasks.get(name) !== task) return
        this.#tasks.delete(name)
        this.#options.onEvent(event)
      })
      this.#settled.add(settled)
      void settled.finally(() => this.#settled.delete(settled))
    }
  }

  stopAttempt(step: number, reason: StopReason): void {
    this.#tasks.get(`attempt ${step}`)?.stop.abort(reason)
  }

  /** Leaves child runs to the next owner. */
  leaveChildren(): void {
    for (const [name, task] of this.#tasks) if (task.isWaiting) this.#abandon(name, task, 'lease_lost')
  }

  /** Aborts condition checks that the engine no longer waits for, after a stop or a time limit. */
  abandonChecks({ checking, steps }: RunProgress): void {
    for (const [name, task] of this.#tasks) {
      const { action } = task
      const isWanted =
        action.type === 'check-run'
          ? checking
          : action.type === 'start-attempt' ||
            steps[action.step]?.phase === (action.type === 'check-step' ? 'checking' : 'deciding')
      if (!isWanted) this.#abandon(name, task, 'stopped')
    }
  }

  /** Aborts all tasks and waits until they have ended. Their results are dropped. */
  async killAll(): Promise<void> {
    for (const [name, task] of this.#tasks) this.#abandon(name, task, 'lease_lost')
    await Promise.all(this.#settled)
  }

  #abandon(name: string, task: Task, reason: StopReason): void {
    this.#tasks.delete(name)
    task.stop.abort(reason)
  }
}
