import type { RunOfStep, StepContext } from '../executor.ts'

/** Label of every container that the service creates. */
export const ownLabel = 'millrace.token'
/** Marks a container that the step wants to keep after its end. */
export const keepLabel = 'millrace.keep'

export type NamedRun = Pick<RunOfStep, 'runKey' | 'runId' | 'dagName' | 'token'>

/** Labels that identify a container when its run is taken over (see sweep.ts). */
export function labelsOf(
  {
    run,
    step,
  }: { readonly run?: NamedRun | undefined; readonly step: Pick<StepContext['step'], 'name'> | undefined },
  isKept: boolean,
): Record<string, string> {
  return {
    ...runLabels(run),
    [ownLabel]: run?.token ?? '',
    ...(step !== undefined && { 'millrace.step': step.name }),
    ...(isKept && { [keepLabel]: 'true' }),
  }
}

/** Several services may share one engine and use the same run keys, so more than the key is compared. */
export function runLabels(run: NamedRun | undefined): Record<string, string> {
  if (run === undefined) return {}
  return { 'millrace.run': run.runKey, 'millrace.run-id': run.runId, 'millrace.dag': run.dagName }
}
