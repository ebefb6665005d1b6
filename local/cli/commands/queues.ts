import { durationText } from '#lib/core/duration-text.ts'
import type { Schemas } from '#lib/client/api-types.gen.ts'
import type { Output } from '../output.ts'
import { defineServiceCommand } from '../service.ts'
import { runId, text } from '../table.ts'

type Queue = Schemas['QueueSummary']

/** Maximum number of waiting runs to list per queue. */
const shownMax = 1_000

export const queues = defineServiceCommand({
  name: 'queues',
  summary: 'List the queues, or the waiting runs of one',
  usage: ['', 'QUEUE'],
  options: {},
  async run({ words: [name], output }, service) {
    if (name === undefined) {
      const { queues: all } = await service.ask('listQueues', { query: { summary: 'true' } })
      return output.table(all, columnsOf(output), 'no queues')
    }
    const [{ queue }, { items, why }] = await Promise.all([
      service.ask('getQueue', { params: { name } }),
      service.ask('listQueueItems', { params: { name }, query: { limit: shownMax } }),
    ])
    if (!output.isJson) output.table([queue], columnsOf(output), '')
    if (!output.isJson && why !== undefined) output.write(`\n${why.text}\n\n`)
    output.table(
      items,
      {
        position: ({ position }) => String(position),
        dag: ({ name: dag }) => dag,
        run: runId(({ dagRunId }) => dagRunId),
        waits: ({ waitedMs }) => waitText(waitedMs),
        params: text(({ params }) => params),
      },
      'nothing waits',
    )
    const more = queue.waiting - items.length
    if (!output.isJson && more > 0 && items.length === shownMax) output.write(`and ${more} more\n`)
  },
})

function columnsOf(output: Output) {
  return {
    queue: ({ name }: Queue) => name,
    state: output.statuses<Queue>(({ paused }) => (paused ? 'paused' : 'open')),
    used: ({ used, limit }: Queue) => `${used} of ${limit}`,
    waiting: ({ waiting }: Queue) => String(waiting),
    'oldest waits': ({ oldestWaitMs }: Queue) => waitText(oldestWaitMs),
    'started in 1 h': ({ startsLastHour }: Queue) => String(startsLastHour),
    set: text((queue: Queue) => setText(queue, output)),
  }
}

const waitText = (ms: number | undefined): string => (ms === undefined ? '-' : durationText(ms))

/** Who has paused the queue, and who has set its limit. */
function setText({ pausedAt, pausedBy, limitOverride }: Queue, output: Output): string {
  const by = (name: string | undefined): string => (name ? ` by ${name}` : '')
  const settings = limitOverride?.configuredLimit
  return [
    ...(pausedAt === undefined ? [] : [`paused ${output.time(pausedAt)}${by(pausedBy)}`]),
    ...(limitOverride === undefined
      ? []
      : [
          `limit set ${output.time(limitOverride.setAt)}${by(limitOverride.setBy)}` +
            (settings === undefined ? '' : ` (settings: ${settings})`),
        ]),
  ].join(', ')
}
