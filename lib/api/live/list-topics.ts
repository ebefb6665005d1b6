import type * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { countQueues } from '#lib/queues/count-queues.ts'
import { countDags } from '#lib/runs/counts/count-dags.ts'
import { listDagStates } from '#lib/runs/read/list-dag-states.ts'
import { listDags } from '#lib/runs/read/list-dags-with-runs.ts'
import { listWorkers } from '#lib/workers/list-workers.ts'
import { DagFilterEntries, dagListOf } from '../schemas/dag-filter.ts'
import { RunDagName, RunFilterEntries } from '../schemas/run-filter.ts'
import { presentDagList } from '../present/dag-list.ts'
import { presentDagStates } from '../present/dag-states.ts'
import { presentRunList } from '../present/run-list.ts'
import { presentWorker } from '../present/worker.ts'
import type { Services } from '../services.ts'
import type { View } from '#lib/api/auth/shown-to.ts'
import { textDigest } from '#lib/api/answers/text-digest.ts'
import type { ListState } from './list-changes.ts'

export const topics = ['dags', 'states', 'runs', 'queues', 'workers', 'overview'] as const
export type Topic = (typeof topics)[number]

/** Of both lists; each takes what it knows. */
const { cursor: _, ...runFilter } = RunFilterEntries
export const ListFilterEntries = { ...DagFilterEntries, ...runFilter, name: RunDagName }
export type ListFilter = v.InferOutput<v.ObjectSchema<typeof ListFilterEntries, undefined>>

type Context = Pick<Services, 'db' | 'logs' | 'labels'> & { readonly view: View }

/** Reads the state of a topic: that of the list which the API answers to the same filter. */
export const readTopic: Readonly<
  Record<Topic, (context: Context, filter: ListFilter) => Promise<ListState>>
> = {
  dags: async (context, filter) => {
    const answer = presentDagList(await listDags(context.db, dagListOf(filter)), context)
    const { dags, ...rest } = answer
    return {
      tag: tagOf(answer),
      rows: new Map(dags.map((dag) => [dag.fileName, JSON.stringify(dag)])),
      rest: JSON.stringify(rest),
    }
  },
  states: async ({ db }, filter) => {
    const answer = presentDagStates(await listDagStates(db, dagListOf(filter), limits.dagStatesMax))
    const dags = answer.groups.flatMap((group) => group.dags.map((dag) => ({ ...dag, group: group.name })))
    return {
      tag: tagOf(answer),
      rows: new Map(dags.map((dag) => [dag.fileName, JSON.stringify(dag)])),
      rest: String(answer.total),
    }
  },
  runs: async (context, { limit = limits.runsWatchedDefault, ...filter }) => {
    const { pages, rest } = await presentRunList(context, { ...filter, limit })
    const dagRuns: RunKey[] = []
    for await (const page of pages) dagRuns.push(...(page as readonly RunKey[]))
    return {
      tag: tagOf({ dagRuns, ...rest }),
      rows: new Map(dagRuns.map((run) => [`${run.name}/${run.dagRunId}`, JSON.stringify(run)])),
      isNewestFirst: true,
    }
  },
  queues: async ({ db }) => ({ tag: tagOf(await countQueues(db)) }),
  workers: async ({ db }) => {
    const workers = (await listWorkers(db)).map(presentWorker)
    // Heartbeats are not changes.
    return { tag: tagOf(workers.map((worker) => ({ ...worker, last_heartbeat: '', lastHeartbeatAt: '' }))) }
  },
  overview: async ({ db }) => {
    const counts = await countDags(db)
    return { tag: tagOf(counts), counts }
  },
}

interface RunKey {
  readonly name: string
  readonly dagRunId: string
}

/** As the entity tag of an answer. */
const tagOf = (answer: object): string => textDigest(JSON.stringify(answer))
