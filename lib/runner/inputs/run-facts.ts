import type { OutputBudget } from './output-budget.ts'
import type { Definition } from '#lib/definition/definition.ts'
import type { Plan } from '#lib/engine/plan.ts'
import type { Scope } from '#lib/definition/values/scope.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import type { LogKey, LogStore } from '#lib/logs/log-store.ts'
import type { RunInputs } from '#lib/runs/claim/claim-runs.ts'
import type { ErrorMask } from '../log/error-mask.ts'

/** Values that all steps of a run share, as prepared by the current owner. */
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
  /** Variables by name. Later sources override earlier ones: inherited, file, dotenv, secrets, params. */
  readonly variables: ReadonlyMap<string, string>
  readonly positional: readonly string[]
  /** Names of given params that `variables` omits (lib/definition/params/visible-params.ts). */
  readonly withheldParams: readonly string[]
  /** Params whose values the author of the file did not write; see {@link Scope.foreign}. */
  readonly foreign: NonNullable<Scope['foreign']>
  /** Shell of steps that set none. */
  readonly shell: string
  /** Folders in which all paths of DAGs must lie. */
  readonly fileBounds: readonly FileBound[]
  /** Texts to mask in logs, errors and outputs (lib/runner/log/secret-forms.ts). */
  readonly maskedValues: readonly string[]
  readonly maskError: ErrorMask
  readonly logs: LogStore
  /** Maximum size of one log stream of a step. */
  readonly logBytesMax: number
  /** The attempt of the run in which the step at this index last ran; its log belongs to that attempt. */
  readonly attemptOf: (index: number) => number
  /** Memory left for outputs that this runner captures. */
  readonly outputBudget: OutputBudget
  /** Folder of this run on this machine, created at the first call. */
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
