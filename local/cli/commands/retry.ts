import { actOnRuns, bulkHelp, bulkOptions, chosenRuns, namedRuns } from '../bulk-runs.ts'
import { UsageError } from '../command.ts'
import { findRun, isSeveral, runHelp, severalUsage } from '../find-run.ts'
import { defineServiceCommand } from '../service.ts'
import { waitDetails, waitForRun, waitOption } from '../wait-for-run.ts'

export const retry = defineServiceCommand({
  name: 'retry',
  summary: 'Retry the failed steps of one run or of several, or repeat a whole run under a new id',
  usage: severalUsage,
  details: `${runHelp}\n${bulkHelp}\n${waitDetails}`,
  options: {
    'new-id': { value: 'ID', about: 'repeat the whole run, as a new run with this id' },
    all: { about: 'every failed run; --dag, --tag, --since and --status narrow this down' },
    ...bulkOptions,
    ...waitOption,
  },
  async run(input, service) {
    const { words, options, output } = input
    const isBulk = options.all || isSeveral(words)
    if (isBulk && (options['new-id'] !== undefined || options.wait)) {
      throw new UsageError('--new-id and --wait need a single run')
    }
    if (options.all && words.length > 0) throw new UsageError('name the RUN, or pass --all with --dag')
    if (isBulk) {
      const runs = options.all
        ? await chosenRuns(service, options, 'failed')
        : await namedRuns(service, words)
      return await actOnRuns(service, { action: 'retry', runs }, input)
    }
    if (words.length === 0) throw new UsageError('name the RUN, or pass --all')
    const { name, dagRunId: old } = await findRun(service, words, { mustSayRun: true })
    const dagRunId = options['new-id'] ?? old
    await service.ask('retryDagRun', { params: { name, dagRunId: old }, body: { dagRunId } })
    if (options.wait) return await waitForRun(service, { name, dagRunId }, output)
    output.show({ dagRunId }, dagRunId)
    return 0
  },
})
