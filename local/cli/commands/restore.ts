import { defineCommand } from '../command.ts'

export const restore = defineCommand({
  name: 'restore',
  summary: 'Fill an empty database from a file that backup has written',
  usage: ['FILE'],
  details: 'Run it with the settings of the service, while nothing of it works; - is standard input.',
  options: {
    replace: { about: 'first remove what the service has in the database' },
  },
  async run({ words: [file = ''], options, output }) {
    const { restoreFile } = await import('../restore-file.ts')
    return await restoreFile(file, { replace: options.replace }, output)
  },
})
