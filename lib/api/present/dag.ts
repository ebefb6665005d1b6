import type { InferOutput } from 'valibot'
import type { LabelSet } from '#lib/core/status.ts'
import type { StoredDag } from '#lib/dags/get-dag.ts'
import { summarizeDag } from '#lib/dags/summarize-dag.ts'
import type { Definition, Handlers, Problem, SpecReading } from '#lib/definition/definition.ts'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'
import { nextStarts, type RunPreview } from '#lib/runs/start/preview-run.ts'
import type {
  DagAnswer,
  DagDetails as DagDetailsSchema,
  LocalDag,
  RunPlan,
  UpdateSpecAnswer,
  ValidateAnswer,
} from '../schemas/dag.ts'
import type { RunDetails } from '../schemas/run.ts'
import type { View } from '#lib/api/auth/shown-to.ts'
import { presentNoRunDetails } from './never-ran.ts'
import type { Presentation } from './presentation.ts'
import { presentPreconditions, presentStep } from './step.ts'
import { timestamp } from './timestamp.ts'

type WireDetails = InferOutput<typeof DagDetailsSchema>

/** A definition as the API shows it in full. Clients of 1.23 to 1.30 show a limit of 0 as a stray number. */
export function presentDag(definition: Definition, labels: LabelSet): WireDetails {
  const { maxActiveSteps } = definition
  return {
    ...summarizeDag(definition),
    env: definition.env.map(({ name, value }) => `${name}=${value}`),
    logDir: definition.logDir ?? '',
    handlerOn: presentHandlers(definition.handlers),
    steps: definition.steps.map(presentStep),
    delay: definition.delaySec,
    histRetentionDays: definition.histRetentionDays,
    preconditions: presentPreconditions(definition.preconditions, []),
    maxActiveRuns: definition.maxActiveRuns,
    ...((maxActiveSteps > 0 || labels !== '1.23') && { maxActiveSteps }),
    ...(definition.queue !== undefined && { queue: definition.queue }),
    ...(hasRunConfig(definition) && { runConfig: { ...definition.runConfig } }),
  }
}

const hasRunConfig = ({ runConfig }: Definition): boolean =>
  runConfig.disableParamEdit || runConfig.disableRunIdEdit

function presentHandlers(handlers: Handlers): WireDetails['handlerOn'] {
  return Object.fromEntries(
    Object.entries(handlers).map(([kind, step]: [string, Handlers['exit']]) => [
      kind,
      step && presentStep(step),
    ]),
  )
}

/** Reads the text of a stored DAG. */
export function readStoredDag({ fileName, spec, base }: StoredDag): SpecReading {
  return readSpec(spec, base === undefined ? { fileName } : { fileName, base })
}

function presentNextRuns({ suspended }: StoredDag, dag: Definition, now: number, zone: string): string[] {
  return suspended ? [] : nextStarts(dag, now, zone).map(timestamp)
}

type DagPresentation = Presentation & {
  readonly view: View
  readonly now: () => number
  /** Zone of schedules that name none. */
  readonly zone: string
}

/** @param latest the run to show with it, when it ever ran */
export function presentDagAnswer(
  dag: StoredDag,
  latest: InferOutput<typeof RunDetails> | undefined,
  { view, now, zone, ...presentation }: DagPresentation,
): InferOutput<typeof DagAnswer> {
  const reading = readStoredDag(dag)
  return {
    dag: presentDag(view.definition(reading.dag), presentation.labels),
    localDags: presentLocalDags(reading.localDags.map(view.definition), presentation.labels),
    latestDAGRun: latest ?? presentNoRunDetails(view.definition(reading.dag), presentation),
    suspended: dag.suspended,
    ...(dag.suspendedAt !== undefined && { suspendedAt: timestamp(dag.suspendedAt) }),
    ...(dag.suspendedBy !== undefined && { suspendedBy: dag.suspendedBy }),
    errors: presentProblems(reading.problems),
    ...presentParams(view.definition(reading.dag)),
    version: dag.version,
    updatedAt: timestamp(dag.updatedAt),
    nextRuns: presentNextRuns(dag, reading.dag, now(), zone),
  }
}

/** What a form for the params of a run needs. */
function presentParams({
  params,
  paramsSchema,
}: Definition): Pick<InferOutput<typeof DagAnswer>, 'paramDefs' | 'paramsSchema'> {
  let position = 0
  const paramDefs = params.map(({ name, value }) =>
    name === undefined ? { position: ++position, default: value } : { name, default: value },
  )
  return { paramDefs, ...(paramsSchema !== undefined && { paramsSchema }) }
}

/** The DAGs that a file defines besides its first, sorted by name. */
function presentLocalDags(
  localDags: readonly Definition[],
  labels: LabelSet,
): InferOutput<typeof LocalDag>[] {
  return localDags
    .map((dag) => ({ name: dag.name, dag: presentDag(dag, labels), errors: [] }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function presentProblems(problems: readonly Problem[]): string[] {
  return problems.map(formatProblem)
}

/** Faults, as texts and with their positions, and warnings. */
export function presentFindings(
  problems: readonly Problem[],
  warnings: readonly Problem[],
): { errors: string[]; problems: Problem[]; warnings: Problem[] } {
  return { errors: presentProblems(problems), problems: [...problems], warnings: [...warnings] }
}

/** What a save found. Clients of 1.23 to 1.30 take any list of errors, an empty one too, for a refusal. */
export function presentSaved(
  { problems, warnings }: { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] },
  labels: LabelSet,
): InferOutput<typeof UpdateSpecAnswer> {
  const { errors, ...found } = presentFindings(problems, warnings)
  return labels === '1.23' && errors.length === 0 ? found : { errors, ...found }
}

/** The steps of a text that was read, with their lines. */
export function presentStepsOfText({
  dag,
  stepLines,
}: SpecReading): InferOutput<typeof ValidateAnswer>['steps'] {
  return stepLines.map((lines, index) => {
    const { dependsOn = [], child } = dag.steps[index] ?? {}
    return { ...lines, depends: [...dependsOn], ...(child !== undefined && { call: child.dag }) }
  })
}

/** What a run would do, as the API writes it. */
export function presentPlan(preview: RunPreview): InferOutput<typeof RunPlan> {
  return {
    order: preview.order.map((names) => [...names]),
    steps: preview.steps.map((step) => ({ ...step, dependsOn: [...step.dependsOn], work: [...step.work] })),
    values: [...preview.values],
    nextFires: preview.nextFires.map(timestamp),
    queue: preview.queue,
    workerSelector: { ...preview.workerSelector },
    warnings: [...preview.warnings],
  }
}
