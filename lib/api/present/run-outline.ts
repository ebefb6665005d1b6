import type { InferOutput } from 'valibot'
import { runStatusCode } from '#lib/core/status.ts'
import type { Step } from '#lib/definition/definition.ts'
import type { RunState } from '#lib/runs/read/load-run.ts'
import type { ChildRecord, StepRecord } from '#lib/runs/read/run-record.ts'
import { runParamsList } from '#lib/runs/start/run-params.ts'
import type { RunOutline } from '../schemas/run-outline.ts'
import type { Presentation } from './presentation.ts'
import { eachHandler, presentHead, presentStepStatus } from './run.ts'
import { durationMs, inMs } from './timestamp.ts'

type Outline = InferOutput<typeof RunOutline>
type OutlineNode = Outline['nodes'][number]

const errorLengthMax = 500

/** A run with what lists and drawings show of its steps: a fifth of its details, or less. */
export function presentOutline(state: RunState, presentation: Presentation): Outline {
  const { run, definition } = state
  const children = Map.groupBy(state.children, ({ step }) => step)
  const node = (step: Step): OutlineNode => {
    const record = state.steps.get(step.name)
    return {
      step: { name: step.name, depends: [...step.dependsOn] },
      status: presentStepStatus(record, presentation.labels).status,
      ...(record !== undefined && presentRecord(record)),
      ...presentChildren(children.get(step.name)),
    }
  }
  return {
    ...presentHead(state, presentation),
    paramsList: runParamsList(run, definition).map(({ name, value }) => ({ name, value })),
    nodes: definition.steps.map(node),
    ...eachHandler(definition, node),
    error: run.error,
  }
}

function presentRecord(record: StepRecord): Partial<OutlineNode> {
  const { startedAt, finishedAt, exitCode, retryCount, error, tries } = record
  return {
    // Of a step that was not run, the time is that of the decision.
    ...inMs({ startedAt, finishedAt: startedAt === undefined ? undefined : finishedAt }),
    ...durationMs(record),
    ...(exitCode !== undefined && { exitCode }),
    ...(retryCount > 0 && { retryCount }),
    ...(tries !== undefined && {
      tries: tries.map((one) => ({ ...inMs({ startedAt: one.startedAt, finishedAt: one.finishedAt }) })),
    }),
    ...(error !== '' && { error: error.slice(0, errorLengthMax) }),
  }
}

/** The runs of the last iteration of a step that repeats. */
function presentChildren(children: readonly ChildRecord[] = []): Pick<OutlineNode, 'children'> {
  if (children.length === 0) return {}
  const last = Math.max(...children.map(({ iteration }) => iteration))
  return {
    children: children
      .filter(({ iteration }) => iteration === last)
      .map(({ runId, dagName, status }) => ({
        dagRunId: runId,
        name: dagName,
        status: runStatusCode(status),
      })),
  }
}
