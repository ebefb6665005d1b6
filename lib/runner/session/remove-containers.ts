import type { ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import type { RunFacts } from '../inputs/run-facts.ts'
import { maskedError } from '../log/mask.ts'
import type { RunnerDeps } from '../runner-deps.ts'

/**
 * Removes containers left by a previous owner that died or lost the run. To be called before any step starts. Never
 * rejects.
 */
export async function removeContainers(
  run: ClaimedRun,
  { plan, variables, maskedValues }: RunFacts,
  { executors: settings, log }: Pick<RunnerDeps, 'executors' | 'log'>,
): Promise<void> {
  if (!plan.steps.some(({ step }) => step.executor.type === 'docker')) return
  try {
    const { sweepContainers } = await import('#lib/executors/docker/sweep.ts')
    await sweepContainers(run, { env: Object.fromEntries(variables), settings })
  } catch (error) {
    const shown = maskedError(error, maskedValues)
    log.warn(
      { event: 'run.left-behind', runId: run.runId, error: shown },
      'containers of an earlier owner may be left',
    )
  }
}
