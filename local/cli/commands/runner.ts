import { defineCommand } from '../command.ts'
import { startPart } from '../start-part.ts'

export const runner = defineCommand({
  name: 'runner',
  summary: 'Run a runner: it claims and executes runs',
  usage: [''],
  options: {},
  run: () => startPart('runner'),
})
