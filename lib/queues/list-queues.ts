import { and, asc, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dagRun } from '#lib/db/schema.ts'
import { parentRun, rootRun, runColumns, toRunRecord } from '#lib/runs/read/run-columns.ts'
import type { RunRecord } from '#lib/runs/read/run-record.ts'
import { summarizeQueues, type QueueFacts } from './summarize-queues.ts'

export interface QueueState extends QueueFacts {
  /** Oldest first. */
  readonly running: readonly RunRecord[]
  /** In the order of promotion. */
  readonly queued: readonly RunRecord[]
}

/** The queues of {@link summarizeQueues} with their runs, at most {@link limits.queuedRunsListedMax} of them. */
export async function listQueues(db: Database): Promise<QueueState[]> {
  const [queues, rows] = await Promise.all([
    summarizeQueues(db, { countsStarts: false }),
    orm(db)
      .select(runColumns)
      .from(dagRun)
      .leftJoin(rootRun, eq(rootRun.runKey, dagRun.rootKey))
      .leftJoin(parentRun, eq(parentRun.runKey, dagRun.parentKey))
      .where(and(isNotNull(dagRun.queue), inArray(dagRun.status, ['not_started', 'running', 'queued'])))
      .orderBy(desc(dagRun.priority), asc(dagRun.runKey))
      .limit(limits.queuedRunsListedMax),
  ])
  const runs = Map.groupBy(rows.map(toRunRecord), (run) => run.queue ?? '')
  return queues.map((queue) => {
    const own = runs.get(queue.name) ?? []
    return {
      ...queue,
      running: own.filter((run) => run.status !== 'queued'),
      queued: own.filter((run) => run.status === 'queued'),
    }
  })
}
