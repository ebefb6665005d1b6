import { DataCell, DataTable } from '../../controls/data-table/data-table.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { UsedBar } from '../../controls/used-bar/used-bar.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { OldestWait } from './oldest-wait.tsx'
import { PauseButton } from './pause-button.tsx'
import type { QueueFacts } from './queue-answer.ts'
import { QueueState } from './queue-state.tsx'

const columns = [
  { name: 'Queue' },
  { name: 'State' },
  { name: 'Used' },
  { name: 'Waiting' },
  { name: 'Oldest wait', isExtra: true },
  { name: 'Started in 1 h', isExtra: true },
  { name: 'Actions', isUnseen: true },
]

/** The number of running and waiting runs of each queue. */
export function QueuesPage() {
  const { ask } = useData()
  const reading = useQuery(['queues'], () => ask('listQueues', { query: { summary: 'true' } }), true, true, {
    topic: 'queues',
    query: {},
    patch: (answer) => answer,
  })
  return (
    <>
      <PageHead title="Queues" name="Queues" />
      <Loaded reading={reading} what="the queues">
        {({ queues }) =>
          queues.length === 0 ? (
            <Notice title="All queues are empty">
              Enqueued runs wait here for a free slot. <code>MILLRACE_QUEUES</code> defines queues that
              several DAGs share.
            </Notice>
          ) : (
            <DataTable name="Queues" columns={columns}>
              {queues.map((queue) => (
                <QueueRow key={queue.name} queue={queue} />
              ))}
            </DataTable>
          )
        }
      </Loaded>
    </>
  )
}

function QueueRow({ queue }: { readonly queue: QueueFacts }) {
  const { links } = useData()
  return (
    <tr>
      <DataCell>
        <a class="queues-page-name" href={links.queue(queue.name)}>
          {queue.name}
        </a>
      </DataCell>
      <DataCell>
        <QueueState queue={queue} />
      </DataCell>
      <DataCell>
        <UsedBar used={queue.used} of={queue.limit} />
      </DataCell>
      <DataCell isNumber>{queue.waiting}</DataCell>
      <DataCell isExtra>
        <OldestWait queue={queue} />
      </DataCell>
      <DataCell isExtra isNumber>
        {queue.startsLastHour}
      </DataCell>
      <DataCell>
        <PauseButton queue={queue} />
      </DataCell>
    </tr>
  )
}
