import type { InferOutput } from 'valibot'
import type { QueueState } from '#lib/queues/list-queues.ts'
import type { Queue, QueueList } from '../schemas/queue.ts'
import type { Presentation } from './presentation.ts'
import { presentQueuedRun, presentRunSummary } from './run-summary.ts'

type Wire = InferOutput<typeof Queue>

export function presentQueues(
  states: readonly QueueState[],
  presentation: Presentation,
): InferOutput<typeof QueueList> {
  const queues = states.map((state) => presentQueue(state, presentation))
  const total = (amount: (queue: Wire) => number): number => queues.reduce((sum, one) => sum + amount(one), 0)
  const totalRunning = total((queue) => queue.summary.running)
  const totalCapacity = states.reduce((sum, { capacity }) => sum + capacity, 0)
  return {
    queues,
    summary: {
      totalQueues: queues.length,
      totalRunning,
      totalQueued: total((queue) => queue.summary.queued),
      totalCapacity,
      utilizationPercentage: totalCapacity === 0 ? 0 : (100 * totalRunning) / totalCapacity,
    },
  }
}

function presentQueue(queue: QueueState, presentation: Presentation): Wire {
  const running = queue.running.map((run) => presentRunSummary(run, presentation))
  const queued = queue.queued.map((run) => presentRunSummary(run, presentation))
  return {
    name: queue.name,
    type: queueType(queue, presentation),
    ...(queue.maxConcurrency !== undefined && { maxConcurrency: queue.maxConcurrency }),
    summary: { running: running.length, queued: queued.length, total: running.length + queued.length },
    runningDAGRuns: running.map(presentQueuedRun),
    queuedDAGRuns: queued.map(presentQueuedRun),
    running,
    queued,
  }
}

function queueType({ maxConcurrency }: QueueState, { labels }: Presentation): Wire['type'] {
  if (maxConcurrency === undefined) return 'dag-based'
  return labels === '1.23' ? 'global' : 'custom'
}
