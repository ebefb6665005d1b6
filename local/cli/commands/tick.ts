import { defineCommand } from '../command.ts'
import { startPart } from '../start-part.ts'

export const tick = defineCommand({
  name: 'tick',
  summary: 'Run one tick: fire schedules, promote queued runs, take over lost runs',
  usage: [''],
  options: { watch: { about: 'keep ticking until a signal' } },
  run: ({ options }) => startPart('tick', options.watch ? ['--watch'] : []),
})
