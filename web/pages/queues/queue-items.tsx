import { Button } from '../../controls/button/button.tsx'
import { DataCell, DataTable } from '../../controls/data-table/data-table.tsx'
import { Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { useRunRefusal } from '../../data/refusal.ts'
import { useAction } from '../../data/use-action.ts'
import { runState } from '../../model/states.ts'
import { Failure } from '../../parts/load-state/load-state.tsx'
import { StateSign } from '../../parts/state-mark/state-mark.tsx'
import type { QueueItem, QueueItems } from './queue-answer.ts'

const waitingColumns = [
  { name: 'Position' },
  { name: 'DAG' },
  { name: 'Run', isExtra: true },
  { name: 'Waits' },
  { name: 'Actions', isUnseen: true },
]

interface WaitingProps {
  /** Of the queue. */
  readonly name: string
  readonly page: QueueItems
  readonly total: number
  /** Whether the page begins at the head. */
  readonly isFirst: boolean
}

/** The waiting runs, in the order in which they will start. */
export function WaitingItems({ name, page, total, isFirst }: WaitingProps) {
  const { links } = useData()
  const { isPending, fault, act } = useAction(['queues'])
  const { items, nextCursor } = page
  return (
    <section class="queue-page-part" aria-labelledby="queue-waiting">
      <h2 id="queue-waiting">Waiting: {total}</h2>
      {fault !== undefined && <Failure {...fault} />}
      {items.length === 0 ? (
        <p class="quiet">Nothing waits.</p>
      ) : (
        <DataTable name="Waiting" columns={waitingColumns}>
          {items.map((item) => (
            <WaitingRow key={`${item.name} ${item.dagRunId}`} item={item} isPending={isPending} act={act} />
          ))}
        </DataTable>
      )}
      {(!isFirst || nextCursor !== undefined) && (
        <p class="queue-page-more">
          {!isFirst && <a href={links.queue(name)}>To the front of the queue</a>}
          {nextCursor !== undefined && <a href={links.queue(name, { cursor: nextCursor })}>Further down</a>}
        </p>
      )}
    </section>
  )
}

interface RowProps {
  readonly item: QueueItem
  readonly isPending: boolean
  readonly act: ReturnType<typeof useAction>['act']
}

function WaitingRow({ item, isPending, act }: RowProps) {
  const { ask, now } = useData()
  const refusal = useRunRefusal()
  const { name, dagRunId } = item
  const dequeue = (): Promise<unknown> => ask('dequeueDagRun', { params: { name, dagRunId } })
  return (
    <tr>
      <DataCell isNumber>{item.position}</DataCell>
      <RunCells item={item} />
      <DataCell>
        <Took startedAt={item.queuedAtMs} ms={undefined} isOver={false} now={now} />
      </DataCell>
      <DataCell>
        <Button
          isPending={isPending}
          refusal={refusal}
          onPress={() => void act('The run was not dequeued', `${name} ${dagRunId} is dequeued`, dequeue)}
        >
          Dequeue<span class="unseen"> {`${name} ${dagRunId}`}</span>
        </Button>
      </DataCell>
    </tr>
  )
}

const runningColumns = [
  { name: 'State' },
  { name: 'DAG' },
  { name: 'Run', isExtra: true },
  { name: 'Waited' },
  { name: 'Took' },
]

/** The runs in progress, oldest first. */
export function RunningItems({
  items,
  total,
}: {
  readonly items: readonly QueueItem[]
  readonly total: number
}) {
  const { now } = useData()
  return (
    <section class="queue-page-part" aria-labelledby="queue-running">
      <h2 id="queue-running">Running: {total}</h2>
      {items.length === 0 ? (
        <p class="quiet">No run uses a slot.</p>
      ) : (
        <DataTable name="Running" columns={runningColumns}>
          {items.map((item) => (
            <tr key={`${item.name} ${item.dagRunId}`}>
              <DataCell>
                <StateSign state={runState(item.status)} />
              </DataCell>
              <RunCells item={item} />
              <DataCell>
                <Took startedAt={undefined} ms={item.waitedMs} isOver now={now} />
              </DataCell>
              <DataCell>
                <Took startedAt={item.startedAtMs} ms={undefined} isOver={false} now={now} />
              </DataCell>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  )
}

function RunCells({ item: { name, dagRunId } }: { readonly item: QueueItem }) {
  const { links } = useData()
  return (
    <>
      <DataCell>
        <a class="queues-page-name" href={links.run(name, dagRunId)}>
          {name}
        </a>
      </DataCell>
      <DataCell isExtra>
        <a href={links.run(name, dagRunId)}>
          <span class="code">{dagRunId}</span>
        </a>
      </DataCell>
    </>
  )
}
