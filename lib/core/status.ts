/**
 * The statuses of runs and steps. Everything stores and uses these words; only this file knows the integers and labels
 * of the API. Code 5 means queued for a run and skipped for a step (spec: "States and transitions").
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

const labels: Readonly<Record<RunStatus | StepStatus, string>> = {
  not_started: 'not started',
  running: 'running',
  failed: 'failed',
  cancelled: 'cancelled',
  success: 'finished',
  queued: 'queued',
  partial_success: 'partial success',
  skipped: 'skipped',
}

/** The label that the API shows next to the integer. */
export function statusLabel(status: RunStatus | StepStatus): string {
  return labels[status]
}

export function isFinalRun(status: RunStatus): status is FinalRunStatus {
  return status !== 'not_started' && status !== 'running' && status !== 'queued'
}

export function isFinalStep(status: StepStatus): boolean {
  return status !== 'not_started' && status !== 'running'
}
