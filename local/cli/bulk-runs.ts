import { randomUUID } from 'node:crypto'
import { limits } from '#lib/core/limits.ts'
import { runStatusCode, runStatusHelp } from '#lib/core/status.ts'
import { UsageError, type Input } from './command.ts'
import { confirm } from './confirm.ts'
import { nameInRuns } from './find-dag.ts'
import { findRun } from './find-run.ts'
import { readTime } from './local-time.ts'
import { listRuns } from './runs.ts'
import type { Service } from './service.ts'
import { readStatus } from './status-words.ts'
import { runId, text } from './table.ts'

/** Options that select the runs of `--all`. */
export const bulkOptions = {
  status: {
    value: 'STATUS',
    about: `with --all, only runs with these statuses, separated by commas: ${runStatusHelp}`,
  },
  dag: { value: 'NAME', about: 'with --all, only runs of this DAG' },
  tag: { value: 'TAG', about: 'with --all, only runs of DAGs that have this tag' },
  since: { value: 'TIME', about: 'with --all, only runs created since this time: 24h, 7d or 2026-11-20' },
  yes: { short: 'y', about: 'do not ask' },
} as const

export const bulkHelp =
  'With --all, or with several RUNs of one DAG, a terminal asks once and shows how many; each run gets its own result.'

/** Maximum number of runs in one command. */
const runsMax = 10_000

interface RunName {
  readonly name: string
  readonly dagRunId: string
}

/**
 * The runs that `--all` and its options select.
 * @param statuses default of `--status`
 */
export async function chosenRuns(
  service: Service,
  options: Input<typeof bulkOptions>['options'],
  statuses: string,
): Promise<RunName[]> {
  const { status = statuses, dag, tag, since } = options
  const codes = status.split(',').map((word) => runStatusCode(readStatus('--status', word)))
  const runs = await listRuns(
    service,
    {
      status: codes.join(','),
      ...(dag !== undefined && { name: (await nameInRuns(service, dag)).name }),
      ...(tag !== undefined && { tag }),
      ...(since !== undefined && { fromDate: readTime('since', since, Date.now()) }),
    },
    runsMax,
  )
  return runs.map(({ name, dagRunId }) => ({ name, dagRunId }))
}

/** Finds runs of a DAG by prefixes of their ids. */
export async function namedRuns(service: Service, [dag = '', ...ids]: readonly string[]): Promise<RunName[]> {
  const runs: RunName[] = []
  for (const id of ids) {
    const { name, dagRunId } = await findRun(service, [dag, id], { mustSayRun: true })
    if (!runs.some((run) => run.dagRunId === dagRunId)) runs.push({ name, dagRunId })
  }
  return runs
}

/**
 * Asks for confirmation, acts on every run, and shows the result of each.
 * @returns the exit code: 1 when one of them failed
 */
export async function actOnRuns(
  service: Service,
  { action, runs }: { readonly action: 'stop' | 'retry'; readonly runs: readonly RunName[] },
  { options, output }: Pick<Input<typeof bulkOptions>, 'options' | 'output'>,
): Promise<number> {
  if (runs.length === 0) {
    output.table([], {}, 'no such runs')
    return 0
  }
  const dags = new Set(runs.map(({ name }) => name)).size
  const what = `${action === 'stop' ? 'Stop' : 'Retry'} ${counted(runs.length, 'run')} of ${counted(dags, 'DAG')}`
  if (!options.yes && !(await confirm(`${what}?`))) {
    if (process.stdin.isTTY) throw new Error('nothing was done')
    throw new UsageError(`${what}: there is no terminal to ask on; pass --yes`)
  }
  const headers = { 'idempotency-key': randomUUID() }
  let failed = 0
  const rows = []
  for (let index = 0; index < runs.length; index += limits.batchItemsMax) {
    const body = { action, runs: runs.slice(index, index + limits.batchItemsMax) }
    const answer = await service.exchange(headers, 'batchDagRuns', { body })
    rows.push(...answer.body.results)
    failed += answer.body.failed
  }
  const done = action === 'stop' ? 'stopped' : 'retried'
  output.table(
    rows,
    {
      dag: ({ name }) => name,
      run: runId(({ dagRunId }) => dagRunId),
      result: text(({ message = done }) => message),
    },
    'no such runs',
  )
  return failed > 0 ? 1 : 0
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
