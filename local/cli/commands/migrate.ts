import { defineCommand } from '../command.ts'
import { startPart } from '../start-part.ts'

export const migrate = defineCommand({
  name: 'migrate',
  summary: 'Bring the database up to date',
  usage: [''],
  options: {},
  run: ({ output }) => startPart('migrate', output.isJson ? ['--json'] : []),
})
