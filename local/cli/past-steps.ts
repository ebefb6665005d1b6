import { stepStatuses } from '#lib/core/status.ts'
import { findChild, nodesOf, runStatus, type RunDetails, type RunNode } from './runs.ts'
import type { Service } from './service.ts'

/** A started step of a run or of one of its descendants. */
export interface PastStep {
  /** Names of the steps from the root to this one; a step that starts runs is followed by the label of the run. */
  readonly path: readonly string[]
  readonly node: RunNode
  readonly name: string
  readonly dagRunId: string
  /** Id of the descendant run that the step belongs to; undefined for the root run. */
  readonly child: string | undefined
}

/** Maximum number of child runs to read per step. */
const childrenMax = 1_000
const labelMax = 30

export const hasFailed = ({ status }: { readonly status: number }): boolean =>
  stepStatuses[status] === 'failed'

interface Where {
  /** The root run, by which the API addresses its descendants. */
  readonly root: RunDetails
  /** The root, or one of its descendants. */
  readonly run: RunDetails
  readonly failedOnly?: boolean
  /** Excludes the steps of child runs. */
  readonly ownOnly?: boolean
  readonly above?: readonly string[]
}

/** The steps of a run in start order, each followed by the steps of its child runs. */
export async function* pastSteps(
  service: Service,
  { root, run, failedOnly = false, ownOnly = false, above = [] }: Where,
): AsyncGenerator<PastStep> {
  const child = run.dagRunId === root.dagRunId && run.name === root.name ? undefined : run.dagRunId
  const nodes = nodesOf(run).filter((node) => node.startedAt !== '' && (!failedOnly || hasFailed(node)))
  for (const node of nodes.toSorted(byStart)) {
    const path = [...above, node.step.name]
    yield { path, node, name: root.name, dagRunId: root.dagRunId, child }
    if (ownOnly) continue
    const children = [...node.childrenRepeated, ...node.children]
    const wanted = failedOnly ? children.filter((below) => runStatus(below) !== 'success') : children
    const labels = childLabels(children)
    for (const below of wanted.slice(0, childrenMax)) {
      const details = await findChild(service, { ...root, nodes: [] }, below.dagRunId)
      const inside = [...path, labels.get(below.dagRunId) ?? below.name]
      yield* pastSteps(service, { root, run: details, failedOnly, above: inside })
    }
  }
}

/** API times have a fixed-width format, so they compare as strings. */
const byStart = (one: RunNode, other: RunNode): number =>
  one.startedAt === other.startedAt ? 0 : one.startedAt < other.startedAt ? -1 : 1

interface Child {
  readonly name: string
  readonly params: string
  readonly dagRunId: string
}

/**
 * Labels of the child runs of a step, by run id: the params they do not share, such as the item of `parallel`; the DAG
 * name for an only child.
 */
export function childLabels(children: readonly Child[]): ReadonlyMap<string, string> {
  const params = children.map((child) => child.params.split(/(?<!\s)\s+(?=[\w.-]{1,200}=)/))
  const isShared = (param: string): boolean => params.every((list) => list.includes(param))
  return new Map(
    children.map(({ dagRunId, name }, index) => {
      const own = (params[index] ?? []).filter((param) => !isShared(param))
      // A positional param is an item; its number is meaningless.
      const label = own.map((param) => param.replace(/^\d+=/, '')).join(' ')
      const text = children.length === 1 ? name : label || dagRunId
      return [dagRunId, text.length <= labelMax ? text : `${text.slice(0, labelMax - 1)}…`]
    }),
  )
}
