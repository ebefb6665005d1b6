import { Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import type { QueueFacts } from './queue-answer.ts'

/** How long the first of those that wait has waited. @param atMs when that was answered, by the clock of this machine */
export function OldestWait({ queue, atMs }: { readonly queue: QueueFacts; readonly atMs: number }) {
  const { now } = useData()
  const { oldestWaitMs: waited } = queue
  const since = waited === undefined ? undefined : now.peek() - (Date.now() - atMs) - waited
  return <Took startedAt={since} ms={undefined} isOver={false} now={now} />
}
