import { findRun, runHelp, runUsage } from '../find-run.ts'
import { defineServiceCommand } from '../service.ts'
import { waitDetails, waitForRun, waitOption } from '../wait-for-run.ts'

export const retry = defineServiceCommand({
  name: 'retry',
  summary: 'Retry the failed steps of a run, or the whole run under another id',
  usage: runUsage,
  details: `${runHelp}\n${waitDetails}`,
  options: {
    'new-id': { value: 'ID', about: 'repeat the whole run, as a new run with this id' },
    ...waitOption,
  },
  async run({ words, options, output }, service) {
    const { name, dagRunId: old } = await findRun(service, words, { mustSayRun: true })
    const dagRunId = options['new-id'] ?? old
    await service.ask('retryDagRun', { params: { name, dagRunId: old }, body: { dagRunId } })
    if (options.wait) return await waitForRun(service, { name, dagRunId }, output)
    output.show({ dagRunId }, dagRunId)
    return 0
  },
})
