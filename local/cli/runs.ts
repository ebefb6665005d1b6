import type { Operations, Schemas } from '#lib/client/api-types.gen.ts'
import { runStatuses, type RunStatus } from '#lib/core/status.ts'
import { Refusal, type Service } from './service.ts'

export type RunDetails = Schemas['RunDetails']
export type RunSummary = Schemas['RunSummary']

/**
 * Finds a run by its DAG, which the user names by its file or by the name in the file.
 * @param run an id, or `latest`
 */
export async function findRun(service: Service, dag: string, run: string): Promise<RunDetails> {
  try {
    const { dagRun } = await service.ask('getDagRunOfDag', { params: { fileName: dag, dagRunId: run } })
    return dagRun
  } catch (error) {
    if (!(error instanceof Refusal) || ![400, 404].includes(error.status)) throw error
    const found = await service
      .ask('getDagRun', { params: { name: dag, dagRunId: run } })
      .catch((second: unknown) => {
        // An error about the file says more than that the run does not exist.
        throw second instanceof Refusal && second.status === 404 ? error : second
      })
    return found.dagRunDetails
  }
}

/** Finds a descendant of a run, at any depth. */
export async function findChild(
  service: Service,
  { name, dagRunId }: Pick<RunDetails, 'name' | 'dagRunId'>,
  childDAGRunId: string,
): Promise<RunDetails> {
  const params = { name, dagRunId, childDAGRunId }
  return (await service.ask('getChildRun', { params })).dagRunDetails
}

/** Option of commands about one run. */
export const childOption = { value: 'ID', about: 'a run that it started, at any depth (status has the ids)' }

type Filter = Omit<NonNullable<Operations['listDagRuns']['request']['query']>, 'limit' | 'cursor'>

const pageMax = 1_000

/** The newest runs, at most `count`. */
export async function listRuns(service: Service, filter: Filter, count: number): Promise<RunSummary[]> {
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

/** Seconds between two times of the API, in readable form; `-` when one is missing. */
export function took({ startedAt, finishedAt }: { startedAt: string; finishedAt: string }): string {
  if (startedAt === '') return '-'
  const end = finishedAt === '' ? Date.now() : Date.parse(finishedAt)
  const seconds = Math.max(0, Math.round((end - Date.parse(startedAt)) / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  if (seconds < 60) return `${seconds} s`
  return hours === 0 ? `${minutes} min ${seconds % 60} s` : `${hours} h ${minutes} min`
}
