import { changedSteps } from '#lib/engine/changed-steps.ts'
import { plannedAt } from '#lib/engine/plan.ts'
import { storedStep } from '#lib/engine/stored-step.ts'
import type { ClaimedRun, RunInputs } from '#lib/runs/claim/claim-runs.ts'
import type { RecordItem } from '#lib/runs/claim/record-progress.ts'
import type { RunFacts } from './inputs/run-facts.ts'
import type { RunChange } from './run-world.ts'

/**
 * The journal entry for a change.
 * @param inputs the inputs of the run, when they are not stored yet
 */
export function recordItem(
  { facts, run }: { readonly facts: RunFacts; readonly run: ClaimedRun },
  change: RunChange,
  inputs: RunInputs | undefined,
): RecordItem {
  const { before, after, finish, release } = change
  return {
    runKey: run.runKey,
    token: run.token,
    steps: changedSteps(before, after).flatMap((place) => {
      const step = after.steps[place]
      if (step === undefined) return []
      return [{ ...storedStep(plannedAt(facts.plan, place).step.name, step, facts.attempt), place }]
    }),
    run: { ...runPatch(change), ...(inputs !== undefined && { inputs }) },
    ...(finish !== undefined && { finish }),
    ...(release !== undefined && { release: { readyAtMs: release.readyAt ?? null } }),
  }
}

/** What has changed of the run itself. */
function runPatch({ before, after, survived }: RunChange): NonNullable<RecordItem['run']> {
  return {
    ...(before.checked !== after.checked && { checked: after.checked }),
    ...(before.ending !== after.ending && after.ending !== undefined && { ending: after.ending }),
    ...(after.lastStartAt !== undefined &&
      before.lastStartAt !== after.lastStartAt && { lastStartAt: after.lastStartAt }),
    ...(survived && { survived }),
  }
}
