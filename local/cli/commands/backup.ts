import { defineCommand, UsageError } from '../command.ts'

export const backup = defineCommand({
  name: 'backup',
  summary: 'Back up the database to a file, while the service may run',
  usage: ['FILE'],
  details:
    'Run it with the settings of the service; - is standard output. Logs in files or in a bucket are not included.',
  options: {},
  async run({ words: [file = ''], output }) {
    if (file === '-' && process.stdout.isTTY)
      throw new UsageError('a backup is binary: redirect it to a file')
    const { takeBackup } = await import('../take-backup.ts')
    return await takeBackup(file, output)
  },
})
