import type { OutputRoom } from './output-room.ts'
import type { Definition } from '#lib/definition/definition.ts'
import type { Plan } from '#lib/engine/plan.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import type { LogKey, LogStore } from '#lib/logs/log-store.ts'
import type { RunInputs } from '#lib/runs/claim/claim-runs.ts'
import type { ErrorMask } from '../log/error-mask.ts'

/** Facts that all steps of a run share. Established when a runner takes the run on. */
export interface RunFacts {
  readonly runKey: string
  readonly runId: string
  readonly dagName: string
  /** The attempt of the run, not of a step; 1 is the first. */
  readonly attempt: number
  readonly definition: Definition
  readonly plan: Plan
  readonly inputs: RunInputs
  /** The params as JSON: as given when that was JSON, otherwise an object by name. */
  readonly paramsJson: string
  /**
   * Variables by name; later sources override earlier ones: inherited, file, dotenv, secrets, params.
   */
  readonly variables: ReadonlyMap<string, string>
  readonly positional: readonly string[]
  /** Names of given params that `variables` leaves out (lib/definition/params/visible-params.ts). */
  readonly withheldParams: readonly string[]
  /** Params that the author of the file did not write, as in the scope of their texts. */
  readonly foreign: ReadonlyMap<string, number>
  /** Program that runs the steps that name no shell. */
  readonly shell: string
  /** Where all files and folders that DAGs name must be. */
  readonly fileBounds: readonly FileBound[]
  /** Texts that are masked wherever a text leaves the run (lib/runner/log/secret-forms.ts). */
  readonly maskedValues: readonly string[]
  readonly maskError: ErrorMask
  readonly logs: LogStore
  /** Size of one log stream of a step. */
  readonly logBytesMax: number
  /** The attempt of the run in which the step at this index last ran; its log belongs to that attempt. */
  readonly attemptOf: (index: number) => number
  /** Room for the outputs that this runner captures. */
  readonly outputRoom: OutputRoom
  /** A folder of this run on this machine, made when first needed. */
  readonly scratch: () => Promise<string>
}

/** The key of one log stream of a step. */
export function stepLogKey(facts: RunFacts, index: number, stream: 'stdout' | 'stderr'): LogKey {
  const step = facts.plan.steps[index]?.step
  const merged = (step?.logOutput ?? facts.definition.logOutput) === 'merged'
  return {
    runKey: facts.runKey,
    attempt: facts.attemptOf(index),
    step: step?.name ?? '',
    stream: merged ? 'stdout' : stream,
  }
}
