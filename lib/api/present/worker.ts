import type { InferOutput } from 'valibot'
import { limits } from '#lib/core/limits.ts'
import type { WorkerState } from '#lib/workers/list-workers.ts'
import type { Worker } from '../schemas/queue.ts'
import { timestamp } from './timestamp.ts'

type Wire = InferOutput<typeof Worker>

export function presentWorker(worker: WorkerState): Wire {
  return {
    id: worker.id,
    labels: { ...worker.labels },
    health_status: health(worker.heartbeatAgeMs),
    last_heartbeat: timestamp(worker.heartbeatAt),
    draining: worker.isDraining,
    running_tasks: worker.tasks.map((task) => ({
      dagName: task.dagName,
      dagRunId: task.runId,
      rootDagRunName: task.root.dagName,
      rootDagRunId: task.root.runId,
      parentDagRunName: task.parent?.dagName ?? '',
      parentDagRunId: task.parent?.runId ?? '',
      startedAt: timestamp(task.startedAt),
    })),
  }
}

/** By the age of the last heartbeat (spec: "Limits"). */
function health(ageMs: number): Wire['health_status'] {
  if (ageMs < limits.runnerDoubtMs) return 'WORKER_HEALTH_STATUS_HEALTHY'
  return ageMs <= limits.runnerGoneMs ? 'WORKER_HEALTH_STATUS_WARNING' : 'WORKER_HEALTH_STATUS_UNHEALTHY'
}
