import type { Definition } from '#lib/definition/definition.ts'
import type { Plan } from '#lib/engine/plan.ts'
import type { LogKey, LogStore } from '#lib/logs/log-store.ts'
import type { RunInputs } from './run-inputs.ts'

/** What the steps of a run are executed with: decided when its runner took it on, the same for all of them. */
export interface RunFacts {
  readonly runKey: string
  readonly runId: string
  readonly dagName: string
  /** Of the run, not of a step: 1 for the first. */
  readonly attempt: number
  readonly definition: Definition
  readonly plan: Plan
  readonly inputs: RunInputs
  /** The params as they were given, when they were JSON. */
  readonly paramsJson: string
  /** By name, later sources over earlier ones: inherited, file, dotenv, secrets, params (spec/behaviour.md 2.5). */
  readonly variables: ReadonlyMap<string, string>
  readonly positional: readonly string[]
  /** Texts that must not appear in logs, outputs and errors. */
  readonly maskedValues: readonly string[]
  readonly logs: LogStore
  /** The attempt of the run in which the step at this place last ran: where its log is. */
  readonly attemptOf: (place: number) => number
  /** A folder of this run alone on this machine, made when it is first needed. */
  readonly scratch: () => Promise<string>
}

/** Names one log stream of a step of the run. */
export function stepLogKey(facts: RunFacts, place: number, stream: 'stdout' | 'stderr'): LogKey {
  const step = facts.plan.steps[place]?.step
  const merged = (step?.logOutput ?? facts.definition.logOutput) === 'merged'
  return {
    runKey: facts.runKey,
    attempt: facts.attemptOf(place),
    step: step?.name ?? '',
    stream: merged ? 'stdout' : stream,
  }
}
