import { searchDags } from '#lib/dags/search-dags.ts'
import { searchMaskedDags } from '#lib/dags/search-masked-dags.ts'
import { maskedSummary, wholeSummary, type DagSummary, type StoredSummary } from '#lib/dags/summarize-dag.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { maskDefinition } from '#lib/definition/masking/mask-definition.ts'
import { maskSpec } from '#lib/definition/masking/mask-spec.ts'
import { readSpec, type SpecOptions } from '#lib/definition/read-spec.ts'
import type { StepRecord } from '#lib/runs/read/run-record.ts'
import { mayDo, type Caller } from './auth.ts'
import { maskBeginnings, maskOutputs, type CapturedOutputs } from './mask-outputs.ts'

/** Masks what a caller may not see of a DAG. */
export interface View {
  readonly name: 'whole' | 'masked'
  readonly spec: (spec: string) => string
  readonly definition: (definition: Definition) => Definition
  /**
   * The sources of a plan for a text of the caller, over the base configuration.
   * @param dag what the text says
   */
  readonly planned: (dag: Definition, spec: string, file: SpecOptions) => Definition
  readonly search: typeof searchDags
  readonly summary: (summary: StoredSummary) => DagSummary
  readonly outputs: (captured: CapturedOutputs, definition: Definition) => Promise<CapturedOutputs>
  readonly steps: typeof maskBeginnings
  /** What is wrong with a file of the folder of DAGs: a fault may quote the text. */
  readonly fault: (fault: string) => string
}

const whole: View = {
  name: 'whole',
  spec: (spec) => spec,
  definition: (definition) => definition,
  planned: (dag) => dag,
  search: searchDags,
  summary: wholeSummary,
  outputs: (captured) => Promise.resolve(captured),
  steps: (steps) => steps,
  fault: (fault) => fault,
}
const masked: View = {
  name: 'masked',
  spec: maskSpec,
  definition: maskDefinition,
  // The base is masked before it is read: whether a guess in the text is masked would reveal what the base holds.
  planned: (_dag, spec, { base, ...file }) =>
    maskDefinition(readSpec(spec, base === undefined ? file : { ...file, base: maskSpec(base) }).dag),
  search: searchMaskedDags,
  summary: maskedSummary,
  outputs: maskOutputs,
  steps: maskBeginnings,
  fault: () => 'the file is not stored; its editors see why',
}

/** Anyone who may edit a DAG sees its text; everybody else sees it without the secrets that are written in it. */
export function viewOf(caller: Caller): View {
  return mayDo(caller, 'write') ? whole : masked
}

interface Defined {
  readonly definition: Definition
  readonly steps: ReadonlyMap<string, StepRecord>
  readonly lastSuccess?: { readonly definition: Definition } | undefined
}

/** Something with a definition, as the view shows it. */
export function viewed<State extends Defined>(state: State, view: View): State {
  if (view.name === 'whole') return state
  const definition = view.definition(state.definition)
  const { lastSuccess: last } = state
  return {
    ...state,
    definition,
    steps: view.steps(state.steps, state.definition),
    ...(last !== undefined && { lastSuccess: { ...last, definition: view.definition(last.definition) } }),
  }
}
