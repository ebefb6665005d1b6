import { runStatusCode, runStatuses } from '#lib/core/status.ts'
import { UsageError, wholeNumber } from '../command.ts'
import { listRuns, took } from '../runs.ts'
import { defineServiceCommand } from '../service.ts'

export const history = defineServiceCommand({
  name: 'history',
  summary: 'List runs, newest first, of a DAG or of all',
  usage: ['[DAG]'],
  options: {
    limit: { value: 'COUNT', short: 'n', about: 'at most so many (20)' },
    status: { value: 'STATUS', about: `only these: ${runStatuses.join(', ')}` },
  },
  async run({ words: [name], options, output }, service) {
    const count = wholeNumber('limit', options.limit ?? '20', { from: 1, to: 1_000_000 })
    const status = options.status === undefined ? undefined : codeOf(options.status)
    const filter = { ...(name !== undefined && { name }), ...(status !== undefined && { status }) }
    output.table(
      await listRuns(service, filter, count),
      {
        dag: ({ name }) => name,
        run: ({ dagRunId }) => dagRunId,
        status: ({ statusLabel }) => statusLabel,
        started: ({ startedAt }) => startedAt || '-',
        took,
        params: ({ params }) => params,
      },
      'no runs',
    )
  },
})

function codeOf(text: string): number {
  const status = runStatuses.find((status) => status === text)
  if (status !== undefined) return runStatusCode(status)
  throw new UsageError(`--status must be one of ${runStatuses.join(', ')}, got ${JSON.stringify(text)}`)
}
