import { wholeNumber } from '../command.ts'
import { withDag } from '../find-dag.ts'
import { defineServiceCommand } from '../service.ts'
import { text } from '../table.ts'
import { listVersions, type Version } from '../versions.ts'

export const versions = defineServiceCommand({
  name: 'versions',
  summary: 'List who changed a DAG, when, from where and why, newest first',
  usage: ['DAG'],
  details:
    'A DAG that was deleted keeps its versions for 30 days: millrace revert DAG VERSION brings it back.',
  options: { limit: { value: 'COUNT', short: 'n', about: 'maximum number (20)' } },
  async run({ words: [dag = ''], options, output }, service) {
    const count = wholeNumber('limit', options.limit ?? '20', { from: 1, to: 1_000_000 })
    const rows = await withDag(service, dag, (fileName) => listVersions(service, fileName, count))
    output.table(
      rows,
      {
        version: ({ version }) => String(version),
        saved: ({ savedAt }) => output.time(savedAt),
        by: ({ savedBy = '-' }) => savedBy,
        from: ({ source }) => source,
        change: changeText,
        message: text(({ message = '' }) => message),
      },
      'no versions',
    )
  },
})

function changeText({ change, fileName, restoredVersion }: Version): string {
  if (change === 'renamed') return `renamed to ${fileName}`
  return restoredVersion === undefined ? change : `${change} ${restoredVersion}`
}
