import type { Step } from '#lib/definition/definition.ts'
import { initialProgress, untouchedStep } from './initial-progress.ts'
import type { Plan } from './plan.ts'
import type { Ending, RunProgress, StepPhase, StepProgress } from './progress.ts'
import type { StoredStep } from './stored-step.ts'
import { countGraph } from './graph-counts.ts'

/** The stored state of a run, without its steps. Times are milliseconds since 1970. */
export interface StoredRun {
  readonly startedAt: number
  readonly checked: boolean
  readonly ending: Ending | null
  readonly lastStartAt: number | null
  /** Time of the stop that set `ending` to `stopped`; null: no stop was applied. */
  readonly stoppedAt: number | null
}

/**
 * Rebuilds the progress from the stored state. Before anything else, apply `runner-lost` to it: only then is it
 * consistent, even if no attempt was running.
 */
export function restoreProgress(plan: Plan, rows: Iterable<StoredStep>, run: StoredRun): RunProgress {
  const byName = new Map(Array.from(rows, (row) => [row.name, row]))
  const steps = plan.steps.map(({ step }) => {
    const row = byName.get(step.name)
    return row === undefined ? untouchedStep : restoreStep(step, row)
  })
  const initial = initialProgress(plan, run.startedAt)
  return {
    ...initial,
    checked: initial.checked || run.checked,
    ending: run.ending ?? undefined,
    stoppedAt: run.stoppedAt ?? undefined,
    lastStartAt: run.lastStartAt ?? undefined,
    steps,
    counts: countGraph(plan, steps),
  }
}

function restoreStep(step: Step, row: StoredStep): StepProgress {
  if (row.status === 'not_started') return untouchedStep
  return {
    ...untouchedStep,
    status: row.status,
    retryCount: row.retryCount,
    doneCount: row.doneCount,
    error: row.error,
    tolerated: row.tolerated,
    outputs: row.outputs,
    conditions: row.conditions,
    phase: restorePhase(step, row),
    startedAt: row.startedAt ?? undefined,
    finishedAt: row.finishedAt ?? undefined,
    triedAt: row.doneCount === 0 ? (row.startedAt ?? undefined) : undefined,
    waitUntil: row.phase === 'waiting' ? (row.waitUntil ?? undefined) : undefined,
    exitCode: row.exitCode ?? undefined,
  }
}

function restorePhase(step: Step, row: StoredStep): StepPhase {
  if (row.status !== 'running') return 'idle'
  if (row.phase === 'waiting') return 'waiting'
  return row.exitCode !== null && step.repeatPolicy !== undefined ? 'decision_due' : 'executing'
}
