import * as v from 'valibot'
import { QueuedRun, RunSummary } from './run.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const Queue = v.object({
  name: v.string(),
  type: v.pipe(
    v.picklist(['custom', 'dag-based', 'global']),
    v.description('With the labels of 1.23, `global` instead of `custom`'),
  ),
  maxConcurrency: v.exactOptional(count),
  summary: v.object({ running: count, queued: count, total: count }),
  runningDAGRuns: v.array(QueuedRun),
  queuedDAGRuns: v.array(QueuedRun),
  running: v.pipe(v.array(RunSummary), v.description('`runningDAGRuns` in full')),
  queued: v.pipe(v.array(RunSummary), v.description('`queuedDAGRuns` in full')),
})

export const QueueList = v.object({
  queues: v.array(Queue),
  summary: v.object({
    totalQueues: count,
    totalRunning: count,
    totalQueued: count,
    totalCapacity: v.pipe(count, v.description('Runs that all queues together may have active at once')),
    utilizationPercentage: v.pipe(v.number(), v.description('`totalRunning` of `totalCapacity`')),
  }),
})

const Task = v.object({
  dagName: v.string(),
  dagRunId: v.string(),
  rootDagRunName: v.string(),
  rootDagRunId: v.string(),
  parentDagRunName: v.string(),
  parentDagRunId: v.string(),
  startedAt: v.string(),
})

/** Each fact under its documented name, and under the one that newer clients read. */
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
  running_tasks: v.array(Task),
  healthStatus: v.picklist(['healthy', 'warning', 'unhealthy']),
  lastHeartbeatAt: v.string(),
  runningTasks: v.array(Task),
  totalPollers: v.pipe(count, v.description('Runs that it executes at once at most')),
  busyPollers: v.pipe(count, v.description('Runs that it executes')),
})

export const WorkerList = v.object({ workers: v.array(Worker), errors: v.array(v.string()) })

/** Components of the OpenAPI document: each use refers to them by these names. */
export const components = { Queue, Task, Worker }
