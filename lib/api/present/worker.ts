import type { InferOutput } from 'valibot'
import { limits } from '#lib/core/limits.ts'
import type { UnservedDags } from '#lib/workers/find-unserved-dags.ts'
import type { WorkerState } from '#lib/workers/list-workers.ts'
import type { Worker, WorkerList } from '../schemas/queue.ts'
import { timestamp } from './timestamp.ts'

type Wire = InferOutput<typeof Worker>

export function presentWorker(worker: WorkerState): Wire {
  const health = healthOf(worker.heartbeatAgeMs)
  const heartbeat = timestamp(worker.heartbeatAt)
  const tasks = worker.tasks.map((task) => ({
    dagName: task.dagName,
    dagRunId: task.runId,
    rootDagRunName: task.root.dagName,
    rootDagRunId: task.root.runId,
    parentDagRunName: task.parent?.dagName ?? '',
    parentDagRunId: task.parent?.runId ?? '',
    startedAt: timestamp(task.startedAt),
  }))
  return {
    id: worker.id,
    labels: { ...worker.labels },
    health_status: documentedHealth[health],
    last_heartbeat: heartbeat,
    draining: worker.isDraining,
    running_tasks: tasks,
    healthStatus: health,
    lastHeartbeatAt: heartbeat,
    runningTasks: tasks,
    totalPollers: worker.slots,
    busyPollers: tasks.length,
    host: worker.host,
    startedAt: timestamp(worker.startedAt),
    slots: worker.slots,
    used: tasks.length,
    ...(worker.drainedBy !== null && { drainedBy: worker.drainedBy }),
  }
}

const documentedHealth = {
  healthy: 'WORKER_HEALTH_STATUS_HEALTHY',
  warning: 'WORKER_HEALTH_STATUS_WARNING',
  unhealthy: 'WORKER_HEALTH_STATUS_UNHEALTHY',
} as const

/** By the age of the last heartbeat; the ages are in lib/core/limits.ts. */
function healthOf(ageMs: number): Wire['healthStatus'] {
  if (ageMs < limits.runnerDoubtMs) return 'healthy'
  return ageMs <= limits.runnerGoneMs ? 'warning' : 'unhealthy'
}

export function presentUnserved({
  dags,
  total,
}: UnservedDags): NonNullable<InferOutput<typeof WorkerList>['unservedDags']> {
  return {
    dags: dags.map(({ fileName, dagName, labels }) => ({ fileName, name: dagName, labels: { ...labels } })),
    total,
  }
}
