import { defineCommand } from '../command.ts'
import { startPart } from '../start-part.ts'

export const migrate = defineCommand({
  name: 'migrate',
  summary: 'Apply pending migrations',
  usage: [''],
  options: {},
  run: ({ output }) => startPart('migrate', output.isJson ? ['--json'] : []),
})
