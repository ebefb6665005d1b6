import type { InferOutput } from 'valibot'
import { runStatusCode, statusLabel, stepStatusCode } from '#lib/core/status.ts'
import { handlerStepNames, type Condition, type Step } from '#lib/definition/definition.ts'
import type { HandlerKind } from '#lib/engine/plan.ts'
import type { LogStore } from '#lib/logs/log-store.ts'
import type { RunState } from '#lib/runs/load-run.ts'
import { isMerged } from '#lib/runs/find-step.ts'
import { runParamsText } from '#lib/runs/run-params.ts'
import type { ChildRecord, StepRecord } from '#lib/runs/run-record.ts'
import type { ChildrenAnswer, Node, RunDetails } from '../schemas/run.ts'
import { presentRunSummary } from './run-summary.ts'
import { presentPreconditions, presentStep } from './step.ts'
import { durationMs, timestamp } from './timestamp.ts'

type WireNode = InferOutput<typeof Node>
type WireDetails = InferOutput<typeof RunDetails>
type WireChild = InferOutput<typeof ChildrenAnswer>['subRuns'][number]

/** A run with its steps in the order of its definition; steps that have not begun stand there too. */
export function presentRun(state: RunState, logs: LogStore): WireDetails {
  const { run, definition } = state
  const handler = (kind: HandlerKind): WireNode | null => {
    const step = definition.handlers[kind]
    return step ? presentNode(state, { ...step, name: handlerStepNames[kind] }, logs) : null
  }
  return {
    ...presentRunSummary(run, logs, definition),
    nodes: definition.steps.map((step) => presentNode(state, step, logs)),
    onInit: handler('init'),
    onExit: handler('exit'),
    onSuccess: handler('success'),
    onFailure: handler('failure'),
    onCancel: handler('cancel'),
    preconditions: presentRunPreconditions(state, definition.preconditions),
    error: run.error,
  }
}

/** Which of several preconditions was not met is not kept; the reason is shown with the first. */
function presentRunPreconditions(
  { run }: RunState,
  conditions: readonly Condition[],
): WireDetails['preconditions'] {
  const unmet = run.ending === 'precondition_unmet'
  return presentPreconditions(conditions, unmet ? [{ met: false, error: run.error }] : [])
}

function presentNode(state: RunState, step: Step, logs: LogStore): WireNode {
  const record = state.steps.get(step.name)
  const status = record?.status ?? 'not_started'
  const children = state.children.filter((child) => child.step === step.name)
  const lastRound = Math.max(0, ...children.map((child) => child.round))
  return {
    step: {
      ...presentStep(step),
      preconditions: presentPreconditions(step.preconditions, record?.conditions ?? []),
    },
    ...presentPlaces(state, step, record, logs),
    startedAt: timestamp(record?.startedAt),
    finishedAt: timestamp(record?.finishedAt),
    ...(record && durationMs(record)),
    status: stepStatusCode(status),
    statusLabel: statusLabel(status),
    retryCount: record?.retryCount ?? 0,
    doneCount: record?.doneCount ?? 0,
    children: children.filter((child) => child.round === lastRound).map(presentChildRef),
    childrenRepeated: children.filter((child) => child.round < lastRound).map(presentChildRef),
    error: record?.error ?? '',
  }
}

function presentPlaces(
  { run, definition }: RunState,
  step: Step,
  record: StepRecord | undefined,
  logs: LogStore,
): { stdout: string; stderr: string } {
  if (record === undefined) return { stdout: '', stderr: '' }
  const key = { runKey: run.runKey, attempt: record.attempt, step: step.name }
  const stdout = logs.describe({ ...key, stream: 'stdout' })
  return { stdout, stderr: isMerged(definition, step) ? stdout : logs.describe({ ...key, stream: 'stderr' }) }
}

function presentChildRef(child: ChildRecord): WireNode['children'][number] {
  return {
    dagRunId: child.runId,
    name: child.dagName,
    params: runParamsText(child),
    status: runStatusCode(child.status),
    statusLabel: statusLabel(child.status),
  }
}

/** An item of the list of child runs. */
export function presentChild(child: ChildRecord): WireChild {
  return {
    ...presentChildRef(child),
    startedAt: timestamp(child.startedAt),
    finishedAt: timestamp(child.finishedAt),
  }
}
