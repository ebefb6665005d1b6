import { findRun } from '../runs.ts'
import { defineServiceCommand } from '../service.ts'
import { waitDetails, waitForRun, waitOption } from '../wait-for-run.ts'

export const retry = defineServiceCommand({
  name: 'retry',
  summary: 'Run again what has not succeeded of a run, or the whole as a new run',
  usage: ['DAG RUN'],
  details: `RUN is an id, or latest.\n${waitDetails}`,
  options: {
    'new-id': { value: 'ID', about: 'run the whole again, as a new run with this id' },
    ...waitOption,
  },
  async run({ words: [dag = '', given = ''], options, output }, service) {
    const { name, dagRunId: old } = await findRun(service, dag, given)
    const dagRunId = options['new-id'] ?? old
    await service.ask('retryDagRun', { params: { name, dagRunId: old }, body: { dagRunId } })
    if (options.wait) return await waitForRun(service, { name, dagRunId }, output)
    output.show({ dagRunId }, dagRunId)
    return 0
  },
})
