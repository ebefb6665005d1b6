import { stepStatusCode } from '#lib/core/status.ts'
import { handlerStepNames } from '#lib/definition/definition.ts'
import type { GridRun } from '#lib/runs/read/read-grid.ts'

const handlerOrder = ['onInit', 'onSuccess', 'onFailure', 'onCancel', 'onExit'] as const
const handlerNames: ReadonlySet<string> = new Set(Object.values(handlerStepNames))

/**
 * One row a step name, sorted, then the handlers that ran in any of the runs; one state a run, in the order of the
 * runs. A step that a run does not have, or has not begun, is not started.
 */
export function presentGrid(
  history: readonly Pick<GridRun, 'definition' | 'steps'>[],
): { name: string; history: number[] }[] {
  const steps = [...new Set(history.flatMap(({ definition }) => definition.steps.map((step) => step.name)))]
  const ran = new Set(
    history.flatMap((past) => [...past.steps.keys()]).filter((name) => handlerNames.has(name)),
  )
  return [...steps.sort(), ...handlerOrder.filter((name) => ran.has(name))].map((name) => ({
    name,
    history: history.map((past) => stepStatusCode(past.steps.get(name)?.status ?? 'not_started')),
  }))
}
