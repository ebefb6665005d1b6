import { defineCommand, UsageError } from '../command.ts'

export const moveLogs = defineCommand({
  name: 'move-logs',
  summary: 'Move the logs of all runs to another store; stop the runners first',
  usage: [''],
  details:
    'Run it with the settings of the service. URL is as in MILLRACE_LOG_STORE. Files are kept; objects are\n' +
    'removed once Postgres has their content. If a move was interrupted, run the command again.',
  options: {
    from: { value: 'URL', about: 'where the logs are' },
    to: { value: 'URL', about: 'where they go' },
  },
  async run({ options: { from, to }, output }) {
    if (from === undefined || to === undefined) throw new UsageError('--from and --to are needed')
    const { moveLogs: move } = await import('../move-logs.ts')
    return await move({ from, to }, output)
  },
})
