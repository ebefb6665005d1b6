import { runStatusCode } from '#lib/core/status.ts'
import { listRuns, took } from '../runs.ts'
import { defineServiceCommand } from '../service.ts'
import { runId, text } from '../table.ts'

const shownMax = 10_000

export const ps = defineServiceCommand({
  name: 'ps',
  summary: 'List active and queued runs',
  usage: [''],
  options: {},
  async run({ output }, service) {
    const states = ['running', 'not_started', 'queued'] as const
    const runs = await Promise.all(
      states.map((status) => listRuns(service, { status: runStatusCode(status) }, shownMax)),
    )
    output.table(
      runs.flat(),
      {
        dag: ({ name }) => name,
        run: runId(({ dagRunId }) => dagRunId),
        status: output.statuses(({ statusLabel }) => statusLabel),
        since: ({ startedAt, queuedAt }) => output.time(startedAt || queuedAt),
        took,
        params: text(({ params }) => params),
      },
      'no active or queued runs',
    )
  },
})
