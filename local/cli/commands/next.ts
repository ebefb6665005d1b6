import { wholeNumber } from '../command.ts'
import { listDags } from '../dags.ts'
import { fileOf } from '../find-dag.ts'
import { nextFires } from '../next-fires.ts'
import { defineServiceCommand } from '../service.ts'
import { text } from '../table.ts'

/** The number of fires that a plan shows. */
const firesMax = 5

export const next = defineServiceCommand({
  name: 'next',
  summary: 'List the next times at which schedules fire',
  usage: ['[DAG…]'],
  options: {
    limit: { value: 'COUNT', short: 'n', about: `number of times for each DAG, at most ${firesMax} (1)` },
  },
  async run({ words, options, output }, service) {
    const count = wholeNumber('limit', options.limit ?? '1', { from: 1, to: firesMax })
    const scheduled = (await listDags(service)).filter(({ dag }) => dag.schedule.length > 0)
    const known = new Map(scheduled.map((item) => [item.fileName, item.suspended]))
    const rows: Row[] = []
    const dags = words.length > 0 ? words : [...known.keys()]
    for (const word of dags) {
      const dag = known.has(word) ? word : await fileOf(service, word)
      output.progress(`reading ${dag}`)
      const row = { dag, suspended: known.get(dag) ?? false }
      const { fires, fault } = await nextFires(service, dag)
      if (fault !== undefined) rows.push({ ...row, at: '', fault })
      else rows.push(...fires.slice(0, count).map((at) => ({ ...row, at })))
    }
    output.table(
      rows.sort((one, other) => (one.at < other.at ? -1 : 1)),
      {
        at: ({ at }) => output.time(at),
        dag: ({ dag }) => dag,
        remark: text(({ suspended, fault }) => fault ?? (suspended ? 'suspended: does not start' : '')),
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
