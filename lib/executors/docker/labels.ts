import type { RunOfStep, StepContext } from '../executor.ts'

/** Every container of ours has it. */
export const ownLabel = 'millrace.token'
/** It stays when it has ended, because the step wants that. */
export const keepLabel = 'millrace.keep'

type NamedRun = Pick<RunOfStep, 'runKey' | 'runId' | 'dagName' | 'token'>

/** By what a container is found again when its run is taken over (see sweep.ts). */
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

/** Several services may use one engine, and count their runs alike: so more than the key of a run is compared. */
export function runLabels(run: NamedRun | undefined): Record<string, string> {
  if (run === undefined) return {}
  return { 'millrace.run': run.runKey, 'millrace.run-id': run.runId, 'millrace.dag': run.dagName }
}
