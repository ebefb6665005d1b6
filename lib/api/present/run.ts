import type { InferOutput } from 'valibot'
import { notFound } from '#lib/core/errors.ts'
import {
  partialStepCode,
  runStatusCode,
  statusLabel,
  stepStatusCode,
  type LabelSet,
} from '#lib/core/status.ts'
import { handlerStepNames, type Condition, type Definition, type Step } from '#lib/definition/definition.ts'
import type { HandlerKind } from '#lib/engine/plan.ts'
import type { RunState } from '#lib/runs/read/load-run.ts'
import { isMerged } from '#lib/runs/steps/find-step.ts'
import { runParamsText } from '#lib/runs/start/run-params.ts'
import type { ChildRecord, StepRecord } from '#lib/runs/read/run-record.ts'
import type { ChildrenAnswer, Node, RunDetails } from '../schemas/run.ts'
import { presentAttempts } from './attempts.ts'
import type { Presentation } from './presentation.ts'
import { presentDetailFacts, presentNodeFacts } from './run-facts.ts'
import { presentRunSummary } from './run-summary.ts'
import { presentPreconditions, presentStep } from './step.ts'
import { durationMs, timestamp } from './timestamp.ts'

type WireNode = InferOutput<typeof Node>
type WireDetails = InferOutput<typeof RunDetails>
type WireChild = InferOutput<typeof ChildrenAnswer>['subRuns'][number]

/** A run with its steps in the order of its definition; steps that have not begun are there too. */
export function presentRun(state: RunState, presentation: Presentation): WireDetails {
  const { run, definition } = state
  const none = { onInit: null, onExit: null, onSuccess: null, onFailure: null, onCancel: null }
  return {
    ...presentHead(state, presentation),
    nodes: presentNodes(state, presentation),
    ...none,
    ...eachHandler(definition, (step) => presentNode(state, step, presentation)),
    preconditions: presentRunPreconditions(state, definition.preconditions),
    error: run.error,
  }
}

/** What is said of a run beside its steps. */
export function presentHead(state: RunState, presentation: Presentation) {
  return {
    ...presentRunSummary(state.run, presentation, state.definition),
    ...presentDetailFacts(state),
    ...presentAttempts(state.latest ?? state.run, presentation),
  }
}

/** The handlers that a run has, by the names that its answers give them. */
export function eachHandler<Shown>(
  { handlers }: Definition,
  present: (step: Step) => Shown,
): Partial<Record<(typeof handlerStepNames)[HandlerKind], Shown>> {
  return Object.fromEntries(
    Object.entries(handlerStepNames).flatMap(([kind, name]) => {
      const step = handlers[kind as HandlerKind]
      return step === undefined ? [] : [[name, present({ ...step, name })]]
    }),
  )
}

/** The steps of a run in the order of its definition, without its handlers. */
export function presentNodes(state: RunState, presentation: Presentation): WireNode[] {
  return state.definition.steps.map((step) => presentNode(state, step, presentation))
}

/** Which of several preconditions was not met is not kept; the reason is shown with the first. */
function presentRunPreconditions(
  { run }: RunState,
  conditions: readonly Condition[],
): WireDetails['preconditions'] {
  const unmet = run.ending === 'precondition_unmet'
  return presentPreconditions(conditions, unmet ? [{ met: false, error: run.error }] : [])
}

/**
 * One step or handler of a run.
 * @throws ServiceError `not_found`
 */
export function presentStepOf(state: RunState, name: string, presentation: Presentation): WireNode {
  const { definition } = state
  const steps = [...definition.steps, ...Object.values(eachHandler(definition, (step) => step))]
  const step = steps.find((one) => one.name === name)
  if (step === undefined) throw notFound('step', name)
  return presentNode(state, step, presentation)
}

function presentNode(state: RunState, step: Step, { logs, labels }: Presentation): WireNode {
  const record = state.steps.get(step.name)
  const children = state.children.filter((child) => child.step === step.name)
  const last = Math.max(0, ...children.map(({ iteration }) => iteration))
  const shown = children
    .filter((child) => child.iteration === last)
    .map((child) => presentChildRef(child, labels))
  const repeated = children
    .filter((child) => child.iteration < last)
    .map((child) => presentChildRef(child, labels))
  return {
    step: {
      ...presentStep(step),
      preconditions: presentPreconditions(step.preconditions, record?.conditions ?? []),
    },
    ...presentPlaces(state, step, record, logs),
    startedAt: timestamp(record?.startedAt),
    // For a step that was not run, the time is that of the decision, which clients should not show.
    finishedAt: record?.startedAt === undefined ? '' : timestamp(record.finishedAt),
    ...(record && durationMs(record)),
    ...presentNodeFacts(record, state.pastTries?.get(step.name)),
    ...presentStepStatus(record, labels),
    retryCount: record?.retryCount ?? 0,
    // Attempts that were retried do not count.
    doneCount: record === undefined ? 0 : record.doneCount - record.retryCount,
    children: shown,
    childrenRepeated: repeated,
    subRuns: shown,
    subRunsRepeated: repeated,
    error: record?.error ?? '',
  }
}

/** A step that tolerated nothing of its own succeeded partially when its child did. */
export function presentStepStatus(
  record: StepRecord | undefined,
  labels: LabelSet,
): Pick<WireNode, 'status' | 'statusLabel'> {
  const status = record?.status ?? 'not_started'
  return labels === '1.23' && status === 'success' && record?.tolerated === true
    ? { status: partialStepCode, statusLabel: statusLabel('partial_success', labels) }
    : { status: stepStatusCode(status), statusLabel: statusLabel(status, labels) }
}

function presentPlaces(
  { run, definition }: RunState,
  step: Step,
  record: StepRecord | undefined,
  logs: Presentation['logs'],
): { stdout: string; stderr: string } {
  if (record === undefined) return { stdout: '', stderr: '' }
  const key = { runKey: run.runKey, attempt: record.attempt, step: step.name }
  const stdout = logs.describe({ ...key, stream: 'stdout' })
  return { stdout, stderr: isMerged(definition, step) ? stdout : logs.describe({ ...key, stream: 'stderr' }) }
}

function presentChildRef(child: ChildRecord, labels: LabelSet): WireNode['children'][number] {
  return {
    dagRunId: child.runId,
    name: child.dagName,
    params: runParamsText(child),
    status: runStatusCode(child.status),
    statusLabel: statusLabel(child.status, labels),
  }
}

/** An item of the list of child runs. */
export function presentChild(child: ChildRecord, labels: LabelSet): WireChild {
  return {
    ...presentChildRef(child, labels),
    startedAt: timestamp(child.startedAt),
    finishedAt: timestamp(child.finishedAt),
  }
}
