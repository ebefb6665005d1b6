import { defineCommand } from '../command.ts'
import { startPart } from '../start-part.ts'

export const tick = defineCommand({
  name: 'tick',
  summary: 'Do what is due, once',
  usage: [''],
  options: { watch: { about: 'go on until a signal' } },
  run: ({ options }) => startPart('tick', options.watch ? ['--watch'] : []),
})
