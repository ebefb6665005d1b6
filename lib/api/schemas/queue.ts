import * as v from 'valibot'
import { QueuedRun } from './run.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const Queue = v.object({
  name: v.string(),
  type: v.picklist(['custom', 'dag-based']),
  maxConcurrency: v.exactOptional(count),
  summary: v.object({ running: count, queued: count, total: count }),
  runningDAGRuns: v.array(QueuedRun),
  queuedDAGRuns: v.array(QueuedRun),
})

export const QueueList = v.object({ queues: v.array(Queue) })

export const Worker = v.object({
  id: v.string(),
  labels: v.record(v.string(), v.string()),
  health_status: v.picklist([
    'WORKER_HEALTH_STATUS_HEALTHY',
    'WORKER_HEALTH_STATUS_WARNING',
    'WORKER_HEALTH_STATUS_UNHEALTHY',
  ]),
  last_heartbeat: v.string(),
  draining: v.boolean(),
  running_tasks: v.array(
    v.object({
      dagName: v.string(),
      dagRunId: v.string(),
      rootDagRunName: v.string(),
      rootDagRunId: v.string(),
      parentDagRunName: v.string(),
      parentDagRunId: v.string(),
      startedAt: v.string(),
    }),
  ),
})

export const WorkerList = v.object({ workers: v.array(Worker) })
