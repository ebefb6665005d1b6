import { wholeNumber } from '../command.ts'
import { listDags } from '../dags.ts'
import { defineServiceCommand, Refusal, type Service } from '../service.ts'

/** As many as a plan shows. */
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
    const rows: Row[] = []
    for (const dag of words.length > 0 ? words : known.keys()) {
      output.progress(`reading ${dag}`)
      const row = { dag, suspended: known.get(dag) ?? false }
      const { fires, fault } = await nextFires(service, dag)
      if (fault !== undefined) rows.push({ ...row, at: '', fault })
      else rows.push(...fires.slice(0, count).map((at) => ({ ...row, at })))
    }
    output.table(
      rows.sort((one, other) => (one.at < other.at ? -1 : 1)),
      {
        at: ({ at }) => at || '-',
        dag: ({ dag }) => dag,
        remark: ({ suspended, fault }) => fault ?? (suspended ? 'suspended: does not start' : ''),
      },
      'nothing is scheduled',
    )
  },
})

interface Row {
  /** Empty when it is unknown. */
  readonly at: string
  readonly dag: string
  readonly suspended: boolean
  readonly fault?: string
}

/** Asks the service itself, which uses the time zone of its settings. */
async function nextFires(service: Service, dag: string): Promise<{ fires: string[]; fault?: string }> {
  const { spec } = await service.ask('getDagSpec', { params: { fileName: dag } })
  try {
    const body = { spec, name: dag }
    const { plan, errors } = await service.ask('validateDag', { query: { plan: 'true' }, body })
    return plan === undefined ? { fires: [], fault: errors.join('; ') } : { fires: plan.nextFires }
  } catch (error) {
    // The DAG requires params that a schedule cannot give.
    if (error instanceof Refusal && error.status === 400) return { fires: [], fault: error.message }
    throw error
  }
}
