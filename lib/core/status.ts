import { nearestName } from './nearest-name.ts'

/**
 * The statuses of runs and steps. Everything stores and uses these words; only this file knows the integers and labels
 * of the API. Code 5 means queued for a run and skipped for a step.
 */

export const runStatuses = [
  'not_started',
  'running',
  'failed',
  'cancelled',
  'success',
  'queued',
  'partial_success',
] as const

export type RunStatus = (typeof runStatuses)[number]

export const stepStatuses = ['not_started', 'running', 'failed', 'cancelled', 'success', 'skipped'] as const

export type StepStatus = (typeof stepStatuses)[number]

export type FinalRunStatus = Exclude<RunStatus, 'not_started' | 'running' | 'queued'>

/** The API's integer for a run status, 0 to 6. */
export function runStatusCode(status: RunStatus): number {
  return runStatuses.indexOf(status)
}

/** The API's integer for a step status, 0 to 5. */
export function stepStatusCode(status: StepStatus): number {
  return stepStatuses.indexOf(status)
}

/** Code 6 of a step, which only the labels `1.23` know: its child succeeded partially. */
export const partialStepCode = 6

/** Which words the API writes beside the codes: those of its document, or those of the generation around 1.23. */
export const labelSets = ['documented', '1.23'] as const

export type LabelSet = (typeof labelSets)[number]

const documented: Readonly<Record<RunStatus | StepStatus, string>> = {
  not_started: 'not started',
  running: 'running',
  failed: 'failed',
  cancelled: 'cancelled',
  success: 'finished',
  queued: 'queued',
  partial_success: 'partial success',
  skipped: 'skipped',
}

const labels: Readonly<Record<LabelSet, Readonly<Record<RunStatus | StepStatus, string>>>> = {
  documented,
  '1.23': {
    ...documented,
    not_started: 'not_started',
    cancelled: 'canceled',
    success: 'succeeded',
    partial_success: 'partially_succeeded',
  },
}

/** The label that the API shows next to the integer. */
export function statusLabel(status: RunStatus | StepStatus, set: LabelSet): string {
  return labels[set][status]
}

/** Every word for a status of a run that a list, the service log or a client may show, with `_` for blanks. */
const runStatusWords: Readonly<Record<string, RunStatus>> = {
  ...Object.fromEntries(runStatuses.map((status) => [status, status])),
  finished: 'success',
  succeeded: 'success',
  canceled: 'cancelled',
  aborted: 'cancelled',
  stopped: 'cancelled',
  error: 'failed',
  partially_succeeded: 'partial_success',
  partial: 'partial_success',
}

/** The words that errors and help texts list. */
export const runStatusHelp = 'finished, failed, cancelled, partial success, running, queued or not started'

/** Reads a word for a status, in any case, with blanks, `_` or `-`; otherwise says the nearest word, if one is near. */
export function readRunStatus(
  text: string,
): { readonly status: RunStatus } | { readonly nearest: string | undefined } {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_')
  const status = Object.hasOwn(runStatusWords, word) ? runStatusWords[word] : undefined
  if (status !== undefined) return { status }
  return { nearest: nearestName(word, Object.keys(runStatusWords))?.replaceAll('_', ' ') }
}

export function isFinalRun(status: RunStatus): status is FinalRunStatus {
  return status !== 'not_started' && status !== 'running' && status !== 'queued'
}

export function isFinalStep(status: StepStatus): boolean {
  return status !== 'not_started' && status !== 'running'
}
