import type { Definition } from '#lib/definition/definition.ts'
import { isLiteral } from '#lib/definition/values/expand.ts'
import { initialProgress } from './initial-progress.ts'
import { nextActions } from './next-actions.ts'
import { plannedAt, type Plan } from './plan.ts'

/** A step that begins with the claim of its run. */
export interface OpeningStep {
  readonly name: string
  readonly place: number
}

/** More steps than this are not worth being sent with each claim. */
const openingStepsMax = 8

/**
 * The steps with which every run of a plan begins, whatever its params are: nothing is evaluated or waited for before
 * them. So they may begin in the moment in which the run is claimed. Empty when a run first runs commands or reads
 * secrets for its inputs, which takes time and may fail; steps that call child runs are left to the runner.
 */
export function openingSteps(plan: Plan): OpeningStep[] {
  if (evaluatesInputs(plan.definition)) return []
  const opening = nextActions(plan, initialProgress(plan, 0), 0).flatMap((action) => {
    if (action.type !== 'start-attempt' || action.step >= plan.graphSize) return []
    const { step } = plannedAt(plan, action.step)
    return step.child === undefined ? [{ name: step.name, place: action.step }] : []
  })
  return opening.length > openingStepsMax ? [] : opening
}

/** Whether the inputs of a run take time, or may be wrong. */
function evaluatesInputs({ workingDir = '', env, params, paramsSchema, secrets }: Definition): boolean {
  const texts = [workingDir, ...[...env, ...params].map(({ value }) => value)]
  return secrets.length > 0 || paramsSchema !== undefined || !texts.every(isLiteral)
}
