import type { InferOutput } from 'valibot'
import type { QueueState } from '#lib/queues/list-queues.ts'
import type { QueueFacts } from '#lib/queues/summarize-queues.ts'
import type { Queue, QueueList, QueueSummary } from '../schemas/queue.ts'
import type { Presentation } from './presentation.ts'
import { presentQueuedRun, presentRunSummary } from './run-summary.ts'
import { inMs, timestamp } from './timestamp.ts'

type Wire = InferOutput<typeof Queue>
type Summary = InferOutput<typeof QueueSummary>

/** The queues with their runs. */
export function presentQueues(
  states: readonly QueueState[],
  presentation: Presentation,
): InferOutput<typeof QueueList> {
  return listOf(states.map((state) => presentQueue(state, presentation)))
}

/** The queues alone: the lists of their runs are empty. */
export function presentQueueSummaries(
  queues: readonly QueueFacts[],
  presentation: Presentation,
): InferOutput<typeof QueueList> {
  const noRuns = { runningDAGRuns: [], queuedDAGRuns: [], running: [], queued: [] }
  return listOf(queues.map((queue) => ({ ...presentQueueSummary(queue, presentation), ...noRuns })))
}

function listOf(queues: Wire[]): InferOutput<typeof QueueList> {
  const total = (amount: (queue: Wire) => number): number => queues.reduce((sum, one) => sum + amount(one), 0)
  const totalRunning = total(({ summary }) => summary.running)
  const totalCapacity = total(({ limit }) => limit)
  return {
    queues,
    summary: {
      totalQueues: queues.length,
      totalRunning,
      totalQueued: total(({ summary }) => summary.queued),
      totalCapacity,
      utilizationPercentage: totalCapacity === 0 ? 0 : (100 * totalRunning) / totalCapacity,
    },
  }
}

function presentQueue(queue: QueueState, presentation: Presentation): Wire {
  const running = queue.running.map((run) => presentRunSummary(run, presentation))
  const queued = queue.queued.map((run) => presentRunSummary(run, presentation))
  return {
    ...presentQueueSummary(queue, presentation),
    // As the lists have it: they are read by another statement.
    summary: { running: running.length, queued: queued.length, total: running.length + queued.length },
    runningDAGRuns: running.map(presentQueuedRun),
    queuedDAGRuns: queued.map(presentQueuedRun),
    running,
    queued,
  }
}

export function presentQueueSummary(queue: QueueFacts, { labels }: Presentation): Summary {
  const { name, maxConcurrency, used, waiting, oldestWaitMs, oldestQueuedAt, startsLastHour, pause } = queue
  const custom = labels === '1.23' ? 'global' : 'custom'
  return {
    name,
    type: maxConcurrency === null ? 'dag-based' : custom,
    ...(maxConcurrency !== null && { maxConcurrency }),
    summary: { running: used, queued: waiting, total: used + waiting },
    used,
    limit: queue.capacity,
    waiting,
    ...(oldestWaitMs !== null && { oldestWaitMs: Math.floor(oldestWaitMs) }),
    ...inMs({ oldestQueuedAt: oldestQueuedAt ?? undefined }),
    ...(startsLastHour !== null && { startsLastHour }),
    paused: pause !== null,
    ...(pause !== null && { pausedAt: timestamp(pause.at), pausedBy: pause.by }),
    ...presentOverride(queue),
  }
}

function presentOverride({ override, configuredLimit }: QueueFacts): Pick<Summary, 'limitOverride'> {
  if (override === null) return {}
  const configured = configuredLimit === null ? {} : { configuredLimit }
  return { limitOverride: { setBy: override.by, setAt: timestamp(override.at), ...configured } }
}
