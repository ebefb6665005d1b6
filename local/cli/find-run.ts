import { limits } from '#lib/core/limits.ts'
import { runStatusCode } from '#lib/core/status.ts'
import { UsageError } from './command.ts'
import { isAbsent, nameInRuns } from './find-dag.ts'
import { listRuns, type RunDetails, type RunFilter, type RunSummary } from './runs.ts'
import type { Service } from './service.ts'
import { readStatus } from './status-words.ts'

/** Lines of the usage of commands about one run. */
export const runUsage = ['DAG [RUN]', 'DAG latest STATUS', 'latest STATUS', 'RUN'] as const

/** Lines of the usage of commands that also take several runs of a DAG, or none with `--all`. */
export const severalUsage = [
  '[DAG] [RUN]',
  'DAG latest STATUS',
  'latest STATUS',
  'RUN',
  'DAG RUN RUN…',
] as const

/** Whether words of {@link severalUsage} name several runs of a DAG. */
export const isSeveral = ([, second, ...others]: readonly string[]): boolean =>
  others.length > 0 && second !== 'latest'

/** Help text about the words of {@link runUsage}. */
export const runHelp =
  'RUN is an id, the beginning of one, latest, or latest with a status: latest failed, or latest:failed.\n' +
  'A unique id needs no DAG.'

/** Maximum number of runs to compare when only a prefix of the id is known. */
const candidatesMax = 1_000
const shownMax = 3
/** The beginning of an id created by the service. */
const idBeginning = /^[0-9a-f]{8}(-[0-9a-f-]*)?$/

/**
 * Finds a run by the words of {@link runUsage}. A DAG alone stands for its latest run.
 * @param how.mustSayRun reject a DAG without a run
 * @throws UsageError when several runs match, Error with the nearest name when none does
 */
export async function findRun(
  service: Service,
  words: readonly string[],
  { mustSayRun = false }: { readonly mustSayRun?: boolean } = {},
): Promise<RunDetails> {
  const [first = '', second, third] = latestInOne(words)
  if (third !== undefined && second !== 'latest') {
    throw new UsageError(`there is one word too many: ${JSON.stringify(third)}`)
  }
  if (second !== undefined) {
    return await findOfDag(service, first, third === undefined ? second : `latest:${third}`)
  }
  const latest = latestOf(first)
  if (latest !== undefined) {
    const found = await newest(service, {}, latest)
    if (found === undefined) throw new Error(`there is no ${runWith(latest.word)}`)
    return found
  }
  const { fault } = await nameInRuns(service, first)
  if (fault === undefined && mustSayRun) throw new UsageError('name the RUN')
  const run = fault === undefined ? undefined : await findByBeginning(service, {}, first)
  if (run !== undefined) return run
  if (fault !== undefined && idBeginning.test(first)) {
    throw new Error(
      `${fault.message}, nor a run; a child run is named after the run that started it: RUN --child ID`,
    )
  }
  return await findOfDag(service, first, 'latest')
}

/** Joins `latest failed` to one word. A DAG named `latest` loses nothing: the service creates no id like a status. */
function latestInOne(words: readonly string[]): readonly string[] {
  const [first, second, ...others] = words
  return first === 'latest' && second !== undefined && others.length === 0 ? [`latest:${second}`] : words
}

const runWith = (status: string | undefined): string =>
  status === undefined ? 'run' : `run with status ${status}`

/** Finds a run of one DAG, given by its file name or its `name`. */
async function findOfDag(service: Service, dag: string, run: string): Promise<RunDetails> {
  const wanted = latestOf(run)
  let absent = new Error(`${dag} has no ${runWith(wanted?.word)}`)
  if (wanted?.word === undefined) {
    try {
      const { dagRun } = await service.ask('getDagRunOfDag', { params: { fileName: dag, dagRunId: run } })
      return dagRun
    } catch (error) {
      if (!isAbsent(error)) throw error
      absent = error
    }
  }
  const { name, fault } = await nameInRuns(service, dag)
  const found =
    wanted === undefined
      ? await findByBeginning(service, { name }, run)
      : await newest(service, { name }, wanted)
  if (found === undefined) throw fault ?? absent
  return found
}

interface Latest {
  /** The status as the user wrote it; undefined for any status. */
  readonly word: string | undefined
  readonly status?: number
}

/** Parses `latest` or `latest:failed`; undefined for anything else. */
function latestOf(run: string): Latest | undefined {
  if (run === 'latest') return { word: undefined }
  const [, word] = /^latest:(.+)$/s.exec(run) ?? []
  if (word === undefined) return undefined
  return { word, status: runStatusCode(readStatus('the status after latest', word)) }
}

async function newest(
  service: Service,
  filter: RunFilter,
  { status }: Latest,
): Promise<RunDetails | undefined> {
  const [found] = await listRuns(service, { ...filter, ...(status !== undefined && { status }) }, 1)
  return found === undefined ? undefined : await detailsOf(service, found)
}

async function findByBeginning(
  service: Service,
  filter: RunFilter,
  beginning: string,
): Promise<RunDetails | undefined> {
  if (beginning === '' || beginning.length > limits.runIdLengthMax) return undefined
  const candidates = await listRuns(service, { ...filter, dagRunId: beginning }, candidatesMax)
  const exact = candidates.filter(({ dagRunId }) => dagRunId === beginning)
  const runs = exact.length > 0 ? exact : candidates.filter(({ dagRunId }) => dagRunId.startsWith(beginning))
  const [found, ...others] = runs
  if (found === undefined) return undefined
  if (others.length === 0) return await detailsOf(service, found)
  const shown = runs.slice(0, shownMax).map(({ name, dagRunId }) => `${name} ${dagRunId}`)
  const list = `${shown.join(', ')}${runs.length > shownMax ? ' …' : ''}`
  throw new UsageError(
    exact.length > 0
      ? `${runs.length} DAGs have a run ${beginning}, name the DAG: ${list}`
      : `${runs.length} runs begin with ${JSON.stringify(beginning)}: ${list}`,
  )
}

async function detailsOf(service: Service, { name, dagRunId }: RunSummary): Promise<RunDetails> {
  return (await service.ask('getDagRun', { params: { name, dagRunId } })).dagRunDetails
}
