import type { Plan } from './plan.ts'
import type { RunProgress, StepProgress } from './progress.ts'
import { countGraph } from './graph-counts.ts'

/** A step to which nothing has happened yet. */
export const untouchedStep: StepProgress = {
  status: 'not_started',
  phase: 'idle',
  stopDue: false,
  retryCount: 0,
  doneCount: 0,
  startedAt: undefined,
  finishedAt: undefined,
  waitUntil: undefined,
  triedAt: undefined,
  lastTry: undefined,
  exitCode: undefined,
  error: '',
  timedOut: false,
  tolerated: false,
  outputs: {},
  conditions: [],
}

/**
 * A run to which nothing has happened yet.
 *
 * @param startedAt milliseconds since 1970; the time limit of the run and `delaySec` count from here
 */
export function initialProgress(plan: Plan, startedAt: number): RunProgress {
  const steps = plan.steps.map(() => untouchedStep)
  return {
    startedAt,
    checked: plan.definition.preconditions.length === 0,
    checking: false,
    ending: undefined,
    stoppedAt: undefined,
    lastStartAt: undefined,
    steps,
    counts: countGraph(plan, steps),
  }
}
