import { defineCommand } from '../command.ts'
import { startPart } from '../start-part.ts'

export const up = defineCommand({
  name: 'up',
  summary: 'Run the whole service: database, API, tick and runner',
  usage: [''],
  options: {},
  run: () => startPart('main'),
})
