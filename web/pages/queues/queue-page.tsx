import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { useAdminRefusal } from '../../data/refusal.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { LimitDialog } from './limit-dialog.tsx'
import { PauseButton } from './pause-button.tsx'
import { QueueFactList } from './queue-fact-list.tsx'
import { RunningItems, WaitingItems } from './queue-items.tsx'

const itemsPerPage = 200

/** A queue: its limit, the runs in progress, and the waiting runs with the reason. */
export function QueuePage() {
  const { ask, links } = useData()
  const { params } = useRoute()
  const { query: address } = useLocation()
  const refusal = useAdminRefusal()
  const [isLimiting, setLimiting] = useState(false)
  const name = params['name'] ?? ''
  const cursor = address['cursor']
  const page = { params: { name } }
  const query = { limit: itemsPerPage }
  const reading = useQuery(
    ['queues', name, cursor],
    async () => {
      const [{ queue }, running, waiting] = await Promise.all([
        ask('getQueue', page),
        ask('listQueueItems', { ...page, query: { ...query, state: 'running' } }),
        ask('listQueueItems', { ...page, query: { ...query, ...(cursor !== undefined && { cursor }) } }),
      ])
      return { queue, running, waiting }
    },
    true,
    true,
    { topic: 'queues', query: {}, patch: (answer) => answer },
  )
  const queue = reading.data?.queue
  return (
    <>
      <PageHead title={name} name={`queue ${name}`} crumb={<a href={links.queues}>Queues</a>}>
        {queue !== undefined && (
          <>
            <PauseButton queue={queue} />
            <Button refusal={refusal} onPress={() => setLimiting(true)}>
              Limit…
            </Button>
          </>
        )}
      </PageHead>
      <Loaded reading={reading} what={`the queue ${name}`}>
        {(answer) => (
          <>
            <QueueFactList queue={answer.queue} />
            {answer.waiting.why !== undefined && (
              <section class="queue-page-why" aria-label="Why">
                The first run waits: {answer.waiting.why.text}
              </section>
            )}
            <WaitingItems
              name={name}
              page={answer.waiting}
              total={answer.queue.waiting}
              isFirst={cursor === undefined}
            />
            <RunningItems items={answer.running.items} total={answer.queue.used} />
          </>
        )}
      </Loaded>
      {isLimiting && queue !== undefined && <LimitDialog queue={queue} onClose={() => setLimiting(false)} />}
    </>
  )
}
