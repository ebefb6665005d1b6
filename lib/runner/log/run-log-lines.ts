import type { AttemptResult, RunEvent } from '#lib/engine/actions.ts'
import type { Plan } from '#lib/engine/plan.ts'
import type { RunProgress } from '#lib/engine/progress.ts'
import type { RunEnd } from '../session/run-effects.ts'

/** The line for an event in the log of the run; undefined for events that are not logged. */
export function eventLine(plan: Plan, event: RunEvent, progress: RunProgress): string | undefined {
  if ('step' in event) return stepLine(plan, event, progress)
  if (event.type === 'run-checked') return event.met ? undefined : 'a precondition of the DAG is not met'
  if (event.type === 'stop-requested') return 'stop requested'
  if (event.type === 'timed-out') return `time limit of ${plan.definition.timeoutSec} s reached`
  return undefined
}

/** The line that names given params which no step sees by name (lib/definition/params/visible-params.ts). */
export function withheldLine(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => JSON.stringify(name.slice(0, 60)))
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : ''
  return `params only in DAG_PARAMS_JSON, because the file does not declare them: ${shown.join(', ')}${more}`
}

/** The line for the end of this runner's session. */
export function endLine(end: RunEnd): string {
  if ('release' in end) return 'run given back, to be continued'
  const { status, error } = end.finish
  return `run ended: ${statusText(status)}${error === '' ? '' : ` (${error})`}`
}

function stepLine(
  plan: Plan,
  event: Extract<RunEvent, { readonly step: number }>,
  progress: RunProgress,
): string | undefined {
  const name = `step ${JSON.stringify(plan.steps[event.step]?.step.name ?? '')}`
  const now = progress.steps[event.step]
  if (event.type === 'attempt-started') {
    const which = now === undefined || now.retryCount === 0 ? '' : `, retry ${now.retryCount}`
    return `${name} started${which}`
  }
  if (event.type === 'attempt-ended') {
    const next = now?.phase === 'waiting' ? ', to be run again' : ''
    return `${name} ${now?.phase === 'idle' ? statusText(now.status) : 'ended'}${resultText(event.result)}${next}`
  }
  if (event.type === 'step-checked') {
    const unmet = event.conditions.find((condition) => !condition.met)
    return unmet === undefined ? undefined : `${name} skipped: ${unmet.error}`
  }
  if (event.type === 'stop-sent') return `${name} asked to stop`
  return undefined
}

function resultText({ error, exitCode }: AttemptResult): string {
  if (error === '') return exitCode === 0 ? '' : ` (exit status ${exitCode})`
  return `: ${error.split('\n', 1)[0] ?? ''}`
}

function statusText(status: string): string {
  return status.replaceAll('_', ' ')
}
