import { defineCommand } from '../command.ts'
import { startPart } from '../start-part.ts'

export const runner = defineCommand({
  name: 'runner',
  summary: 'Run a runner: it claims and executes runs',
  usage: [''],
  details:
    'It works on the database of DATABASE_URL; without it, on that of the service with the same MILLRACE_DATA_DIR.\n' +
    'MILLRACE_RUNNER_LABELS says what it is for, MILLRACE_RUNNER_SLOTS how many runs it executes at once.',
  options: {},
  run: () => startPart('runner'),
})
