import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { Cursor, pageSize } from './run-filter.ts'
import { QueuedRun, Reason, RunSummary } from './run.ts'
import { milliseconds } from './step-tries.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const who = v.pipe(v.string(), v.description('Empty when callers do not sign in'))
const timestamp = v.pipe(v.string(), v.description('RFC 3339'))

/** The fields of a queue besides its runs. */
const queueFacts = {
  used: v.pipe(count, v.description('Runs that use a slot, including those that wait for a runner')),
  limit: v.pipe(count, v.description('Limit in force: runs that may be active at once')),
  waiting: v.pipe(count, v.description('Runs that wait for a slot')),
  oldestWaitMs: v.exactOptional(
    v.pipe(count, v.description('How long the first of them has waited; absent if none waits')),
  ),
  oldestQueuedAtMs: milliseconds,
  startsLastHour: v.exactOptional(
    v.pipe(
      count,
      v.description(
        `Runs of it that began within an hour, of the newest ${limits.partOfIdRunsMax} of a day; ` +
          'in a list only with `summary=true`',
      ),
    ),
  ),
  paused: v.pipe(v.boolean(), v.description('Waiting runs do not start')),
  pausedAt: v.exactOptional(timestamp),
  pausedBy: v.exactOptional(who),
  limitOverride: v.exactOptional(
    v.pipe(
      v.object({
        setBy: who,
        setAt: timestamp,
        configuredLimit: v.exactOptional(
          v.pipe(count, v.description('Limit from the settings; absent if they do not name the queue')),
        ),
      }),
      v.description('The limit was set while the service was running; it applies until it is cleared'),
    ),
  ),
}

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
  ...queueFacts,
  running: v.pipe(v.array(RunSummary), v.description('`runningDAGRuns` in full')),
  queued: v.pipe(
    v.array(RunSummary),
    v.description('`queuedDAGRuns` in full. With `summary=true` the four lists are empty'),
  ),
})

export const QueueSummary = v.omit(Queue, ['runningDAGRuns', 'queuedDAGRuns', 'running', 'queued'])
export const QueueAnswer = v.object({ queue: QueueSummary })

export const QueuesQuery = v.object({
  summary: v.exactOptional(
    v.pipe(
      v.picklist(['true', 'false'], 'must be true or false'),
      v.description('`true`: numbers alone, no runs'),
    ),
  ),
})

export const QueuePath = v.object({
  name: v.pipe(
    v.string(),
    v.nonEmpty('must not be empty'),
    v.maxLength(256, 'must be at most 256 characters long'),
    v.description('Name of a queue'),
  ),
})

/** Strict, because a misspelt `paused` must not look like a success. */
export const ControlQueueBody = v.strictObject({
  paused: v.exactOptional(v.boolean('must be true or false')),
  limit: v.exactOptional(
    v.pipe(
      v.nullable(
        v.pipe(
          v.number('must be a whole number or null'),
          v.integer('must be a whole number'),
          v.minValue(1, 'must be at least 1: to start nothing, pause the queue'),
          v.maxValue(999_999, 'must be at most 999999'),
        ),
      ),
      v.description('Runs that may be active at once; null: the limit of the settings, or else of the DAGs'),
    ),
  ),
})

export const QueueItemsQuery = v.object({
  state: v.exactOptional(
    v.pipe(
      v.picklist(['queued', 'running'], 'must be queued or running'),
      v.description(
        '`queued`: waiting runs, in the order of promotion (default); `running`: runs that use a slot',
      ),
    ),
  ),
  limit: pageSize(limits.queueItemsMax, `Runs of a page, ${limits.queueItemsDefault} when absent`),
  cursor: Cursor,
})

const QueueItem = v.object({
  ...RunSummary.entries,
  position: v.exactOptional(
    v.pipe(count, v.description('1 for the run that starts next; absent for a run that uses a slot')),
  ),
  waitedMs: v.exactOptional(
    v.pipe(
      count,
      v.description('From the enqueue until it began, or until now; absent for a run that was started'),
    ),
  ),
  priority: v.pipe(v.number(), v.integer()),
})

export const QueueItems = v.object({
  items: v.array(QueueItem),
  nextCursor: v.exactOptional(
    v.pipe(v.string(), v.description('Where the next page begins, if there is one')),
  ),
  why: v.exactOptional(
    v.pipe(Reason, v.description('Why the first waiting run waits; on the first page only')),
  ),
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
  host: v.string(),
  startedAt: timestamp,
  slots: v.pipe(
    count,
    v.description('Runs that it executes at once at most; beyond them it holds some that wait'),
  ),
  used: v.pipe(count, v.description('Runs that it has')),
  drainedBy: v.exactOptional(
    v.pipe(
      who,
      v.description('Who drained it; absent while it is not drained, or drains because it is shutting down'),
    ),
  ),
})
export const WorkerAnswer = v.object({ worker: Worker })

const UnservedDag = v.object({
  fileName: v.string(),
  name: v.string(),
  labels: v.pipe(
    v.record(v.string(), v.string()),
    v.description('Labels that a runner must have to claim it'),
  ),
})

export const WorkerList = v.object({
  workers: v.array(Worker),
  errors: v.array(v.string()),
  unservedDags: v.exactOptional(
    v.pipe(
      v.object({ dags: v.array(UnservedDag), total: count }),
      v.description(
        `Only with \`unserved=true\`: DAGs that no live runner accepts, the first ${limits.unservedDagsMax} by name`,
      ),
    ),
  ),
})

export const WorkersQuery = v.object({
  unserved: v.exactOptional(
    v.pipe(
      v.picklist(['true', 'false'], 'must be true or false'),
      v.description('`true`: also the DAGs whose labels no runner has'),
    ),
  ),
})

export const WorkerPath = v.object({
  id: v.pipe(
    v.string(),
    v.nonEmpty('must not be empty'),
    v.maxLength(320, 'must be at most 320 characters long'),
    v.description('Id of a runner'),
  ),
})

/** Components of the OpenAPI document: each use refers to them by these names. */
export const components = { Queue, QueueSummary, QueueItem, Task, Worker }
