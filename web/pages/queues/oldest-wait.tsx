import { Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import type { QueueFacts } from './queue-answer.ts'

/** How long the oldest waiting run has waited. */
export function OldestWait({ queue }: { readonly queue: QueueFacts }) {
  const { now } = useData()
  return <Took startedAt={queue.oldestQueuedAtMs} ms={undefined} isOver={false} now={now} />
}
