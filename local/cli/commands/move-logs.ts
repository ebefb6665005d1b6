import { defineCommand, UsageError } from '../command.ts'

export const moveLogs = defineCommand({
  name: 'move-logs',
  summary: 'Bring the logs of all runs from one store to another, while no runner works',
  usage: [''],
  details:
    'Run it with the settings of the service. URL is as in MILLRACE_LOG_STORE. Files stay where they are; objects\n' +
    'are removed once Postgres has them. A move that broke off is started again.',
  options: {
    from: { value: 'URL', about: 'where the logs are' },
    to: { value: 'URL', about: 'where they shall be' },
  },
  async run({ options: { from, to }, output }) {
    if (from === undefined || to === undefined) throw new UsageError('--from and --to are needed')
    const { moveLogs: move } = await import('../move-logs.ts')
    return await move({ from, to }, output)
  },
})
