import { defineServiceCommand } from '../service.ts'
import { text } from '../table.ts'

export const settings = defineServiceCommand({
  name: 'settings',
  summary: 'List the settings of the service and where each comes from',
  usage: [''],
  details: 'Needs the role admin. Of secrets, it only shows whether they are set.',
  options: {
    all: { short: 'a', about: 'also settings that have their default' },
  },
  async run({ options, output }, service) {
    const { settings: found } = await service.ask('listSettings')
    output.table(
      found.filter(({ source }) => options.all || source !== 'default'),
      {
        setting: ({ name }) => name,
        value: text(({ value, isSecret, source, default: usual }) => {
          if (value !== '') return value
          return source === 'default' ? (isSecret ? 'not set' : usual) : 'set, not shown'
        }),
        from: ({ source, appliedBy }) => (appliedBy === undefined ? source : `${source}, by ${appliedBy}`),
      },
      'all settings have their default values',
    )
  },
})
