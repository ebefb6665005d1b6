import { stepStatuses } from '#lib/core/status.ts'
import { findChild, nodesOf, runStatus, type RunDetails, type RunNode } from './runs.ts'
import type { Service } from './service.ts'

/** A step of a run that has started, or of a run that it started. */
export interface PastStep {
  /** Names of the steps that lead to it; those that start runs are followed by what tells the runs apart. */
  readonly path: readonly string[]
  readonly node: RunNode
  readonly name: string
  readonly dagRunId: string
  /** The run below, at any depth, that it belongs to. */
  readonly child: string | undefined
}

/** Child runs that are looked into below one step. */
const childrenMax = 1_000
const labelMax = 30

export const hasFailed = ({ status }: { readonly status: number }): boolean =>
  stepStatuses[status] === 'failed'

interface Where {
  /** The run that the API names the others by. */
  readonly root: RunDetails
  /** The root, or one of its descendants. */
  readonly run: RunDetails
  readonly failedOnly?: boolean
  /** Not the steps of the runs that its steps started. */
  readonly ownOnly?: boolean
  readonly above?: readonly string[]
}

/** The steps of a run in the order in which they started; those of the runs that a step started follow it. */
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

/** Times of the API have the form of one length, so they compare as texts. */
const byStart = (one: RunNode, other: RunNode): number =>
  one.startedAt === other.startedAt ? 0 : one.startedAt < other.startedAt ? -1 : 1

interface Child {
  readonly name: string
  readonly params: string
  readonly dagRunId: string
}

/**
 * What tells the child runs of a step apart, by their ids: the params that they do not share, such as the item of
 * `parallel`; the name of the DAG where there is one child.
 */
export function childLabels(children: readonly Child[]): ReadonlyMap<string, string> {
  const params = children.map((child) => child.params.split(/(?<!\s)\s+(?=[\w.-]{1,200}=)/))
  const isShared = (param: string): boolean => params.every((list) => list.includes(param))
  return new Map(
    children.map(({ dagRunId, name }, index) => {
      const own = (params[index] ?? []).filter((param) => !isShared(param))
      // A positional param is an item, whose number says nothing.
      const label = own.map((param) => param.replace(/^\d+=/, '')).join(' ')
      const text = children.length === 1 ? name : label || dagRunId
      return [dagRunId, text.length <= labelMax ? text : `${text.slice(0, labelMax - 1)}…`]
    }),
  )
}
