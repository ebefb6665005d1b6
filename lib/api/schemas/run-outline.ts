import * as v from 'valibot'
import { ChildRef, Node, RunDetails } from './run.ts'
import { milliseconds } from './step-tries.ts'

const tries = v.exactOptional(
  v.pipe(
    v.array(v.object({ startedAtMs: milliseconds, finishedAtMs: milliseconds })),
    v.description('When the ended tries of its last attempt ran, if there were several'),
  ),
)

/** What lists and drawings show of a step. What does not apply is absent. */
const OutlineNode = v.object({
  step: v.object({ name: v.string(), depends: v.array(v.string()) }),
  ...v.pick(Node, ['status', 'startedAtMs', 'finishedAtMs', 'durationMs', 'exitCode']).entries,
  retryCount: v.exactOptional(Node.entries.retryCount),
  tries,
  children: v.exactOptional(v.array(v.pick(ChildRef, ['dagRunId', 'name', 'status']))),
  error: v.exactOptional(v.pipe(v.string(), v.description('Its first 500 characters'))),
})

const handler = v.exactOptional(OutlineNode)

/** A run with its steps in short. */
export const RunOutline = v.object({
  ...v.omit(RunDetails, ['nodes', 'onInit', 'onExit', 'onSuccess', 'onFailure', 'onCancel', 'preconditions'])
    .entries,
  paramsList: v.pipe(
    v.array(v.object({ name: v.string(), value: v.string() })),
    v.description('The same as `params`, each by itself; params without a name have their position'),
  ),
  nodes: v.array(OutlineNode),
  onInit: handler,
  onExit: handler,
  onSuccess: handler,
  onFailure: handler,
  onCancel: handler,
})

export const FormQuery = v.object({
  form: v.exactOptional(
    v.pipe(
      v.picklist(['whole', 'outline']),
      v.description(
        '`outline`: runs and steps as `…/outline` has them. Who sends the entity tag of that answer as ' +
          '`Last-Event-ID` gets `same` instead of `state` if it still holds',
      ),
    ),
  ),
})

/** Components of the OpenAPI document: each use refers to them by these names. */
export const components = { RunOutline, OutlineNode }
