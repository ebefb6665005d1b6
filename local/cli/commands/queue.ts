import { UsageError } from '../command.ts'
import { defineServiceCommand } from '../service.ts'

export const queue = defineServiceCommand({
  name: 'queue',
  summary: 'Pause or resume a queue, or set its limit',
  usage: ['pause QUEUE', 'resume QUEUE', 'limit QUEUE COUNT'],
  details:
    'Runs that wait in a paused queue do not start; active runs continue,\n' +
    'and `millrace start` does not wait in it.\n' +
    'COUNT is the maximum number of active runs, or `default`: the value of MILLRACE_QUEUES, or else of the DAGs.\n' +
    'A limit that you set here overrides the settings until you set it back to default.',
  options: {},
  async run({ words: [verb = '', name = '', count = ''], output }, service) {
    const body = verb === 'limit' ? { limit: limitOf(count) } : { paused: verb === 'pause' }
    const { queue: shown } = await service.ask('controlQueue', { params: { name }, body })
    const { limit, used, waiting } = shown
    const state = shown.paused ? 'is paused' : 'is open'
    output.show(shown, `${name} ${state}: ${used} of ${limit} slots in use, ${waiting} waiting`)
  },
})

function limitOf(count: string): number | null {
  if (count === 'default') return null
  if (/^[1-9]\d{0,5}$/.test(count)) return Number(count)
  throw new UsageError(
    `COUNT must be a whole number from 1 to 999999, or default, got ${JSON.stringify(count)}`,
  )
}
