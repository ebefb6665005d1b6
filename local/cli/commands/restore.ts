import { defineCommand } from '../command.ts'

export const restore = defineCommand({
  name: 'restore',
  summary: 'Restore a backup into an empty database',
  usage: ['FILE'],
  details: 'Run it with the settings of the service, while the service is down; - is standard input.',
  options: {
    replace: { about: 'first remove the data of the service from the database' },
  },
  async run({ words: [file = ''], options, output }) {
    const { restoreFile } = await import('../restore-file.ts')
    return await restoreFile(file, { replace: options.replace }, output)
  },
})
