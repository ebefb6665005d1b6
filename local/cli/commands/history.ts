import { runStatusCode, runStatusHelp } from '#lib/core/status.ts'
import { UsageError, wholeNumber } from '../command.ts'
import { nameInRuns } from '../find-dag.ts'
import { readTime } from '../local-time.ts'
import { listRuns, took, type RunFilter, type RunSummary } from '../runs.ts'
import { defineServiceCommand, type Service } from '../service.ts'
import { readStatus } from '../status-words.ts'
import { runId, text } from '../table.ts'

export const history = defineServiceCommand({
  name: 'history',
  summary: 'List the runs of a DAG, or all runs, newest first',
  usage: ['[DAG]'],
  options: {
    limit: { value: 'COUNT', short: 'n', about: 'maximum number (20)' },
    status: {
      value: 'STATUS',
      about: `only runs with these statuses, separated by commas: ${runStatusHelp}`,
    },
    tag: { value: 'TAG', about: 'only runs of DAGs that have this tag' },
    since: {
      value: 'TIME',
      about: 'only runs created since this time: 24h, 7d, 2026-11-20 or 2026-11-20T14:03',
    },
    until: { value: 'TIME', about: 'only runs created until this time' },
    dag: { value: 'NAME', about: 'the same as DAG' },
  },
  async run({ words: [word], options, output }, service) {
    if (word !== undefined && options.dag !== undefined) throw new UsageError('give DAG or --dag, not both')
    const dag = word ?? options.dag
    const count = wholeNumber('limit', options.limit ?? '20', { from: 1, to: 1_000_000 })
    const now = Date.now()
    const { status, tag, since, until } = options
    const filter = {
      ...(status !== undefined && { status: codesOf(status) }),
      ...(tag !== undefined && { tag }),
      ...(since !== undefined && { fromDate: readTime('since', since, now) }),
      ...(until !== undefined && { toDate: readTime('until', until, now) }),
    }
    const runs =
      dag === undefined ? await listRuns(service, filter, count) : await ofDag(service, dag, filter, count)
    output.table(
      runs,
      {
        dag: ({ name }) => name,
        run: runId(({ dagRunId }) => dagRunId),
        status: output.statuses(({ statusLabel }) => statusLabel),
        started: ({ startedAt }) => output.time(startedAt),
        took,
        params: text(({ params }) => params),
      },
      'no runs',
    )
    if (dag !== undefined && runs.length === 0)
      output.note('runs that other runs started are listed by millrace status RUN')
  },
})

const codesOf = (words: string): string =>
  words
    .split(',')
    .map((word) => runStatusCode(readStatus('--status', word)))
    .join(',')

/** Runs outlive their DAG, so a name that no DAG has is an error only when no run has it. */
async function ofDag(service: Service, dag: string, filter: RunFilter, count: number): Promise<RunSummary[]> {
  const { name, fault } = await nameInRuns(service, dag)
  const runs = await listRuns(service, { ...filter, name }, count)
  if (fault !== undefined && runs.length === 0) throw fault
  return runs
}
