import { defineCommand, UsageError } from '../command.ts'

export const backup = defineCommand({
  name: 'backup',
  summary: 'Write what the database holds into a file, while the service works',
  usage: ['FILE'],
  details:
    'Run it with the settings of the service; - is standard output. Logs in files or in a bucket are not in it.',
  options: {},
  async run({ words: [file = ''], output }) {
    if (file === '-' && process.stdout.isTTY) throw new UsageError('a backup is nothing for a terminal')
    const { takeBackup } = await import('../take-backup.ts')
    return await takeBackup(file, output)
  },
})
