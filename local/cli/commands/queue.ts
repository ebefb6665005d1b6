import { UsageError } from '../command.ts'
import { defineServiceCommand } from '../service.ts'

export const queue = defineServiceCommand({
  name: 'queue',
  summary: 'Pause or resume a queue, or set its limit',
  usage: ['pause QUEUE', 'resume QUEUE', 'limit QUEUE COUNT'],
  details:
    'Nothing that waits in a paused queue begins; runs that have begun go on,\n' +
    'and `millrace start` does not wait in it.\n' +
    'COUNT is how many runs may be active at once, or `default`: what MILLRACE_QUEUES says, or else the DAGs.\n' +
    'A limit that was set stays in force until then, whatever the settings say.',
  options: {},
  async run({ words: [verb = '', name = '', count = ''], output }, service) {
    const body = verb === 'limit' ? { limit: limitOf(count) } : { paused: verb === 'pause' }
    const { queue: shown } = await service.ask('controlQueue', { params: { name }, body })
    const { limit, used, waiting } = shown
    const state = shown.paused ? 'is paused' : 'is open'
    output.show(shown, `${name} ${state}: ${used} of ${limit} places taken, ${waiting} waiting`)
  },
})

function limitOf(count: string): number | null {
  if (count === 'default') return null
  if (/^[1-9]\d{0,5}$/.test(count)) return Number(count)
  throw new UsageError(
    `COUNT must be a whole number from 1 to 999999, or default, got ${JSON.stringify(count)}`,
  )
}
