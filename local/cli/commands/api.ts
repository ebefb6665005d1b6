import { defineCommand } from '../command.ts'
import { startPart } from '../start-part.ts'

export const api = defineCommand({
  name: 'api',
  summary: 'Run the API',
  usage: [''],
  options: {},
  run: () => startPart('api'),
})
