import { and, asc, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dagRun, queue } from '#lib/db/schema.ts'
import { parentRun, rootRun, runColumns, toRunRecord } from '#lib/runs/read/run-columns.ts'
import type { RunRecord } from '#lib/runs/read/run-record.ts'

export interface QueueState {
  readonly name: string
  /** Undefined: the queue of a DAG, which has the limit of the DAG. */
  readonly maxConcurrency: number | undefined
  /** Runs that may be active in it at once. */
  readonly capacity: number
  /** Oldest first. */
  readonly running: readonly RunRecord[]
  /** In the order of promotion. */
  readonly queued: readonly RunRecord[]
}

/** The custom queues, and the queues of DAGs with active or queued runs; sorted by name. */
export async function listQueues(db: Database): Promise<QueueState[]> {
  const [configured, rows] = await Promise.all([
    orm(db)
      .select({ name: queue.name, maxConcurrency: queue.maxConcurrency })
      .from(queue)
      .where(isNotNull(queue.maxConcurrency)),
    orm(db)
      .select(runColumns)
      .from(dagRun)
      .leftJoin(rootRun, eq(rootRun.runKey, dagRun.rootKey))
      .leftJoin(parentRun, eq(parentRun.runKey, dagRun.parentKey))
      .where(and(isNotNull(dagRun.queue), inArray(dagRun.status, ['not_started', 'running', 'queued'])))
      .orderBy(desc(dagRun.priority), asc(dagRun.runKey))
      .limit(limits.queuedRunsListedMax),
  ])
  const names = [
    ...new Set([...configured.map(({ name }) => name), ...rows.flatMap((row) => row.queue ?? [])]),
  ]
  const limitsOfDags = await limitsOf(db, names)
  const most = new Map(configured.map((row) => [row.name, row.maxConcurrency ?? undefined]))
  const runs = Map.groupBy(rows.map(toRunRecord), (run) => run.queue ?? '')
  return names.sort().map((name) => {
    const own = runs.get(name) ?? []
    return {
      name,
      maxConcurrency: most.get(name),
      capacity: most.get(name) ?? limitsOfDags.get(name) ?? 1,
      running: own.filter((run) => run.status !== 'queued'),
      queued: own.filter((run) => run.status === 'queued'),
    }
  })
}

/** The limits that queues without one of their own have from their DAGs. */
async function limitsOf({ sql }: Database, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql<{ name: string; most: number }[]>`
    select coalesce(queue, dag_name) as name, max(max_active_runs) as most
    from millrace.dag
    where coalesce(queue, dag_name) in (select json_array_elements_text(${JSON.stringify(names)}::text::json))
    group by 1`
  return new Map(rows.map(({ name, most }) => [name, most]))
}
