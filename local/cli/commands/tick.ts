import { defineCommand } from '../command.ts'
import { startPart } from '../start-part.ts'

export const tick = defineCommand({
  name: 'tick',
  summary: 'Run one tick: fire schedules, promote queued runs, take over lost runs',
  usage: [''],
  options: { watch: { about: 'repeat the tick until the process is stopped' } },
  run: ({ options }) => startPart('tick', options.watch ? ['--watch'] : []),
})
