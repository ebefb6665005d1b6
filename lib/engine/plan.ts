import { invariant } from '#lib/core/errors.ts'
import { handlerStepNames, type Definition, type Step } from '#lib/definition/definition.ts'

export type HandlerKind = keyof typeof handlerStepNames

/** A step of the plan: a step of the DAG, or a handler under its fixed name. */
export interface PlannedStep {
  readonly step: Step
  readonly handler: HandlerKind | undefined
  /** Indices in the plan. */
  readonly dependsOn: readonly number[]
  readonly dependents: readonly number[]
}

/** The graph of a run. Steps are identified by their index: first those of the DAG in file order, then its handlers. */
export interface Plan {
  readonly definition: Definition
  readonly steps: readonly PlannedStep[]
  /** Number of `steps` that belong to the DAG; the rest are handlers. */
  readonly graphSize: number
  readonly handlers: Readonly<Partial<Record<HandlerKind, number>>>
}

/** Builds the graph of a definition, which must be without faults. */
export function planRun(definition: Definition): Plan {
  const order = new Map(definition.steps.map((step, index) => [step.name, index]))
  const dependents: number[][] = definition.steps.map(() => [])
  const steps: PlannedStep[] = definition.steps.map((step, index) => {
    const dependsOn = step.dependsOn.flatMap((name) => order.get(name) ?? [])
    for (const upstream of dependsOn) dependents[upstream]?.push(index)
    return { step, handler: undefined, dependsOn, dependents: dependents[index] ?? [] }
  })
  const handlers: Partial<Record<HandlerKind, number>> = {}
  for (const kind of Object.keys(handlerStepNames) as HandlerKind[]) {
    const handler = definition.handlers[kind]
    if (handler === undefined) continue
    handlers[kind] = steps.length
    const step = { ...handler, name: handlerStepNames[kind] }
    steps.push({ step, handler: kind, dependsOn: [], dependents: [] })
  }
  return { definition, steps, graphSize: definition.steps.length, handlers }
}

/** The step at an index of the plan. */
export function plannedAt(plan: Plan, index: number): PlannedStep {
  const planned = plan.steps[index]
  invariant(planned, `the plan has no step at ${index}`)
  return planned
}

/** Whether a stop and the time limit of the run end this step. They do not end handlers of the closing stage. */
export function isBounded(plan: Plan, index: number): boolean {
  return index < plan.graphSize || index === plan.handlers.init
}
