import { statusWords } from '#lib/executors/dag/child-results.ts'
import { outcome } from '#lib/engine/outcome.ts'
import type { RunProgress } from '#lib/engine/progress.ts'
import { runLogKey, type LogKey } from '#lib/logs/log-store.ts'
import { stepLogKey, type RunFacts } from '../inputs/run-facts.ts'

/** Variables of the whole run: its own, the outputs of steps so far, and the special variables. */
export function runVariables(facts: RunFacts, progress: RunProgress): Map<string, string> {
  const variables = new Map(facts.variables)
  for (const [name, value] of outputsInOrder(progress)) variables.set(name, value)
  variables.set('DAG_NAME', facts.dagName)
  variables.set('DAG_RUN_ID', facts.runId)
  variables.set('DAG_RUN_LOG_FILE', logPath(facts, runLogKey(facts)))
  variables.set('DAG_PARAMS_JSON', facts.paramsJson)
  variables.set('DAGU_PARAMS_JSON', facts.paramsJson)
  return variables
}

/** Variables of a run whose value comes from a caller or a step, as in {@link RunFacts.foreign}. */
export function foreignVariables(facts: RunFacts, progress: RunProgress): Map<string, number> {
  const foreign = new Map(facts.foreign)
  for (const [name] of outputsInOrder(progress)) foreign.set(name, 0)
  for (const name of ['DAG_PARAMS_JSON', 'DAGU_PARAMS_JSON']) foreign.set(name, 0)
  // Set by the service, and run ids contain no path separators.
  for (const name of ['DAG_NAME', 'DAG_RUN_ID', 'DAG_RUN_LOG_FILE']) foreign.delete(name)
  return foreign
}

/** The special variables of one step. Handlers also get the status of the run. */
export function stepVariables(facts: RunFacts, progress: RunProgress, index: number): [string, string][] {
  const planned = facts.plan.steps[index]
  const special: [string, string][] = [
    ['DAG_RUN_STEP_NAME', planned?.step.name ?? ''],
    ['DAG_RUN_STEP_STDOUT_FILE', logPath(facts, stepLogKey(facts, index, 'stdout'))],
    ['DAG_RUN_STEP_STDERR_FILE', logPath(facts, stepLogKey(facts, index, 'stderr'))],
  ]
  if (planned?.handler === undefined) return special
  const word = planned.handler === 'init' ? 'running' : statusWords[outcome(facts.plan, progress).status]
  return [...special, ['DAG_RUN_STATUS', word]]
}

/**
 * Captured variables, in the order in which their steps ended. When two steps set the same name, the later one counts.
 */
export function outputsInOrder(progress: Pick<RunProgress, 'steps'>): [string, string][] {
  return progress.steps
    .filter((step) => Object.keys(step.outputs).length > 0)
    .sort((a, b) => compareTimes(a.finishedAt, b.finishedAt))
    .flatMap((step) => Object.entries(step.outputs))
}

function logPath(facts: RunFacts, key: LogKey): string {
  return facts.logs.localPath(key) ?? facts.logs.describe(key)
}

function compareTimes(a: number | undefined, b: number | undefined): number {
  if (a === b) return 0
  return (a ?? Infinity) < (b ?? Infinity) ? -1 : 1
}
