import { wholeNumber } from '../command.ts'
import { listDags } from '../dags.ts'
import { defineServiceCommand, type Service } from '../service.ts'

/** As many as a plan tells. */
const firesMax = 5

export const next = defineServiceCommand({
  name: 'next',
  summary: 'List the next times at which schedules fire, of some DAGs or of all',
  usage: ['[DAG…]'],
  options: { limit: { value: 'COUNT', short: 'n', about: `so many for each DAG, at most ${firesMax} (1)` } },
  async run({ words, options, output }, service) {
    const count = wholeNumber('limit', options.limit ?? '1', { from: 1, to: firesMax })
    const scheduled = (await listDags(service)).filter(({ dag }) => dag.schedule.length > 0)
    const known = new Map(scheduled.map((item) => [item.fileName, item.suspended]))
    const rows: { at: string; dag: string; suspended: boolean }[] = []
    for (const dag of words.length > 0 ? words : known.keys()) {
      output.progress(`reading ${dag}`)
      const suspended = known.get(dag) ?? false
      for (const at of (await nextFires(service, dag)).slice(0, count)) rows.push({ at, dag, suspended })
    }
    output.table(
      rows.sort((one, other) => (one.at < other.at ? -1 : 1)),
      {
        at: ({ at }) => at,
        dag: ({ dag, suspended }) => `${dag}${suspended ? ' (suspended: does not start)' : ''}`,
      },
      'nothing is scheduled',
    )
  },
})

/** By the service itself, in the zone of its settings. */
async function nextFires(service: Service, dag: string): Promise<string[]> {
  const { spec } = await service.ask('getDagSpec', { params: { fileName: dag } })
  const { plan } = await service.ask('validateDag', { query: { plan: 'true' }, body: { spec, name: dag } })
  return plan?.nextFires ?? []
}
