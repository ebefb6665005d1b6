import { UsageError, wholeNumber } from '../command.ts'
import { fileOf } from '../find-dag.ts'
import { previewFile } from '../preview-schedule.ts'
import { defineServiceCommand } from '../service.ts'
import { text } from '../table.ts'

const daysMax = 31

export const schedule = defineServiceCommand({
  name: 'schedule',
  summary: 'List the fires of the next days, or preview a changed schedule',
  usage: [''],
  options: {
    days: { value: 'N', about: `number of days, at most ${daysMax} (7; for a preview 14)` },
    dag: { value: 'DAG', about: 'only of this DAG' },
    limit: { value: 'COUNT', short: 'n', about: 'maximum number of fires (50)' },
    preview: {
      value: 'FILE',
      about: 'show which fires the schedule of this file adds and removes, compared with the stored DAG',
    },
  },
  async run({ options, output }, service) {
    if (options.preview !== undefined) {
      if (options.limit !== undefined) throw new UsageError('--limit and --preview do not go together')
      const days = wholeNumber('days', options.days ?? '14', { from: 1, to: daysMax })
      return await previewFile(service, { file: options.preview, dag: options.dag, days }, output)
    }
    const days = wholeNumber('days', options.days ?? '7', { from: 1, to: daysMax })
    const limit = wholeNumber('limit', options.limit ?? '50', { from: 1, to: 2_000 })
    const from = Math.floor(Date.now() / 1000)
    const dag = options.dag === undefined ? undefined : await fileOf(service, options.dag)
    const answer = await service.ask('getSchedule', {
      query: { from, to: from + days * 86_400, limit, ...(dag !== undefined && { dag }) },
    })
    const fires = answer.fires.filter(({ at }) => Date.parse(at) >= Date.parse(answer.now))
    const together = new Map<string, number>()
    for (const { at, kind, suspended } of fires) {
      if (kind !== 'stop' && suspended !== true) together.set(at, (together.get(at) ?? 0) + 1)
    }
    output.table(
      fires,
      {
        at: ({ at }) => output.time(at),
        dag: ({ fileName }) => fileName,
        zone: ({ zone = '' }) => zone,
        remark: text(({ at, kind, suspended }) =>
          [
            kind === 'start' ? '' : kind,
            suspended === true ? 'suspended: does not start' : '',
            (together.get(at) ?? 0) > 1 && suspended !== true ? `${together.get(at)} DAGs at this time` : '',
          ]
            .filter((remark) => remark !== '')
            .join(', '),
        ),
      },
      `nothing fires in the next ${days} days`,
    )
    for (const { at, zone, minutes } of answer.clockChanges) {
      output.note(`the clock in ${zone} changes by ${minutes} min at ${output.time(at)}`)
    }
    if (answer.coming > fires.length) output.note(`the first ${fires.length} of ${answer.coming} fires`)
    return 0
  },
})
