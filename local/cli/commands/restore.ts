import { defineCommand } from '../command.ts'

export const restore = defineCommand({
  name: 'restore',
  summary: 'Restore a backup into an empty database',
  usage: ['FILE'],
  details: 'Stop the service first, and run this with its settings; - is standard input.',
  options: {
    replace: { about: 'first remove the existing data of the service from the database' },
  },
  async run({ words: [file = ''], options, output }) {
    const { restoreFile } = await import('../restore-file.ts')
    return await restoreFile(file, { replace: options.replace }, output)
  },
})
