import { changedSteps } from '#lib/engine/changed-steps.ts'
import { untouchedStep } from '#lib/engine/initial-progress.ts'
import { plannedAt } from '#lib/engine/plan.ts'
import { storedStep } from '#lib/engine/stored-step.ts'
import type { ClaimedRun, RunInputs } from '#lib/runs/claim/claim-runs.ts'
import type { RecordItem } from '#lib/runs/claim/record-progress.ts'
import type { RunFacts } from '../inputs/run-facts.ts'
import type { RunChange, RunEnd } from './run-effects.ts'

/**
 * The journal entry for a change.
 * @param inputs the inputs of the run, if they are not stored yet
 */
export function recordItem(
  { facts, run }: { readonly facts: RunFacts; readonly run: ClaimedRun },
  change: RunChange,
  inputs: RunInputs | undefined,
): RecordItem {
  const { before, after, end } = change
  return {
    runKey: run.runKey,
    token: run.token,
    steps: changedSteps(before, after).flatMap((index) => {
      const step = after.steps[index]
      if (step === undefined) return []
      return [{ ...storedStep(plannedAt(facts.plan, index).step.name, step, facts.attempt), place: index }]
    }),
    run: { ...runPatch(change), ...(inputs !== undefined && { inputs }) },
    ...end,
  }
}

function runPatch({ before, after, survived }: RunChange): NonNullable<RecordItem['run']> {
  return {
    ...(before.checked !== after.checked && { checked: after.checked }),
    ...(before.ending !== after.ending && after.ending !== undefined && { ending: after.ending }),
    ...(after.lastStartAt !== undefined &&
      before.lastStartAt !== after.lastStartAt && { lastStartAt: after.lastStartAt }),
    ...(survived && { survived }),
  }
}

/** The journal entry for the end of a session that executed nothing. It resets the opening steps of the claim. */
export function unstartedItem(run: ClaimedRun, end: RunEnd, now: number): RecordItem {
  const { runKey, token, begun, attempt } = run
  const reset = begun.map(({ name, place }) => ({ ...storedStep(name, untouchedStep, attempt), place }))
  const lost = {
    status: 'failed',
    phase: null,
    waitUntil: null,
    error: 'runner lost',
    finishedAt: now,
  } as const
  const running = 'release' in end ? [] : run.steps.filter(({ status }) => status === 'running')
  return {
    runKey,
    token,
    steps: [...running.map((step) => ({ ...step, ...lost })), ...reset],
    ...end,
  }
}
