import type { InferOutput } from 'valibot'
import type { LogStore } from '#lib/logs/log-store.ts'
import type { QueueState } from '#lib/queues/list-queues.ts'
import type { Queue } from '../schemas/queue.ts'
import { presentQueuedRun } from './run-summary.ts'

export function presentQueue(queue: QueueState, logs: LogStore): InferOutput<typeof Queue> {
  const running = queue.running.map((run) => presentQueuedRun(run, logs))
  const queued = queue.queued.map((run) => presentQueuedRun(run, logs))
  return {
    name: queue.name,
    type: queue.maxConcurrency === undefined ? 'dag-based' : 'custom',
    ...(queue.maxConcurrency !== undefined && { maxConcurrency: queue.maxConcurrency }),
    summary: { running: running.length, queued: queued.length, total: running.length + queued.length },
    runningDAGRuns: running,
    queuedDAGRuns: queued,
  }
}
