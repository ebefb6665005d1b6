interface Named {
  readonly step: { readonly name: string }
}

/** The data that events of a run change: the run and its steps, including handlers. */
export interface FollowedRun {
  readonly nodes: readonly Named[]
}

const handlers = ['onInit', 'onSuccess', 'onFailure', 'onCancel', 'onExit'] as const

/** A run with what an event of its stream says: `state` and `run` have fields of the run, `step` one step. */
export function patchRun<Run extends FollowedRun>(run: Run, news: unknown, event: string): Run {
  if (event === 'state' || event === 'run') return { ...run, ...(news as Partial<Run>) }
  if (event !== 'step') return run
  const { name } = (news as Named).step
  const patched = {
    ...run,
    nodes: run.nodes.map((node) => (node.step.name === name ? (news as Named) : node)),
  }
  for (const handler of handlers) {
    const known = (run as Readonly<Record<string, unknown>>)[handler] as Named | null | undefined
    if (known?.step.name === name) Object.assign(patched, { [handler]: news })
  }
  return patched
}

interface Address {
  readonly name: string
  readonly runId: string
  readonly childId?: string
}

/** The stream of a run with its steps in short, below the path of the API. */
export const eventsPath = ({ name, runId, childId }: Address): string =>
  `${['dag-runs', name, runId, ...(childId === undefined ? [] : ['children', childId])]
    .map(encodeURIComponent)
    .join('/')}/events?form=outline`
