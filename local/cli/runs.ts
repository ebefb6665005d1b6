import type { Operations, Schemas } from '#lib/client/api-types.gen.ts'
import { durationText } from '#lib/core/duration-text.ts'
import { runStatuses, type RunStatus } from '#lib/core/status.ts'
import { UsageError } from './command.ts'
import { plain } from './output.ts'
import type { Service } from './service.ts'

export type RunDetails = Schemas['RunDetails']
export type RunSummary = Schemas['RunSummary']
export type RunNode = RunDetails['nodes'][number]

/** Finds a descendant of a run, at any depth. For a direct child, a prefix of its id suffices. */
export async function findChild(
  service: Service,
  { name, dagRunId, nodes }: Pick<RunDetails, 'name' | 'dagRunId' | 'nodes'>,
  child: string,
): Promise<RunDetails> {
  const own = nodes.flatMap((node) => [...node.children, ...node.childrenRepeated])
  const matches = own.map((run) => run.dagRunId).filter((id) => id.startsWith(child))
  if (matches.length > 1 && !matches.includes(child)) {
    throw new UsageError(
      `${matches.length} child runs begin with ${child}: ${matches.slice(0, 3).join(', ')} …`,
    )
  }
  const childDAGRunId = matches.length === 1 ? (matches[0] ?? child) : child
  return (await service.ask('getChildRun', { params: { name, dagRunId, childDAGRunId } })).dagRunDetails
}

/** Option of commands about one run. */
export const childOption = { value: 'ID', about: 'a run that it started, at any depth (status has the ids)' }

export type RunFilter = Omit<NonNullable<Operations['listDagRuns']['request']['query']>, 'limit' | 'cursor'>

const pageMax = 1_000

/** The newest runs, at most `count`. */
export async function listRuns(service: Service, filter: RunFilter, count: number): Promise<RunSummary[]> {
  const runs: RunSummary[] = []
  let cursor: string | undefined
  do {
    const limit = Math.min(pageMax, count - runs.length)
    const page = await service.ask('listDagRuns', {
      query: { ...filter, limit, ...(cursor !== undefined && { cursor }) },
    })
    if (page instanceof ReadableStream) throw new Error('the service answers with lines, not with a page')
    runs.push(...page.dagRuns)
    cursor = page.nextCursor
  } while (cursor !== undefined && runs.length < count)
  return runs
}

/** The name of a run status of the API. */
export const runStatus = ({ status }: { readonly status: number }): RunStatus | undefined =>
  runStatuses[status]

/** Every step of a run, handlers included, in the order of the definition. */
export function nodesOf(run: RunDetails): RunNode[] {
  const handlers = [run.onSuccess, run.onFailure, run.onCancel, run.onExit]
  return [run.onInit, ...run.nodes, ...handlers].filter((node) => node !== null)
}

/** The first line of an error; the rest repeats the output of the step. */
export const errorLine = (error: string): string => plain(error.split('\n', 1)[0] ?? '')

interface Timed {
  readonly startedAt: string
  readonly finishedAt: string
  /** Exact when the service reports it; API times have whole seconds. */
  readonly durationMs?: number | undefined
}

/** The readable duration from start to end, or until now; `-` if not started. */
export function took({ startedAt, finishedAt, durationMs }: Timed): string {
  if (durationMs !== undefined) return durationText(durationMs)
  if (startedAt === '') return '-'
  const end = finishedAt === '' ? Date.now() : Date.parse(finishedAt)
  const seconds = Math.max(0, Math.round((end - Date.parse(startedAt)) / 1000))
  return seconds === 0 ? '< 1 s' : durationText(seconds * 1_000)
}
