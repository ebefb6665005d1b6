import { asc, eq, sql } from 'drizzle-orm'
import type { RunStatus } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import { statement } from '#lib/db/drizzle.ts'
import { dagRun } from '#lib/db/schema.ts'
import { msOf } from '#lib/runs/read/run-columns.ts'
import type { ChildRecord } from '#lib/runs/read/run-record.ts'

const childrenOfRun = statement((on) =>
  on
    .select({
      runId: dagRun.runId,
      dagName: dagRun.dagName,
      step: dagRun.parentStep,
      iteration: dagRun.parentIteration,
      status: dagRun.status,
      startedAt: msOf(dagRun.startedAt),
      finishedAt: msOf(dagRun.finishedAt),
      paramsGiven: dagRun.paramsGiven,
      params: sql<{ name: string; value: string }[] | null>`${dagRun.inputs} -> 'params'`,
    })
    .from(dagRun)
    .where(eq(dagRun.parentKey, sql.placeholder('runKey')))
    .orderBy(asc(dagRun.runKey))
    .prepare('children_of_run'),
)

/** The child runs that the steps of a run started, oldest first. Relies on `dag_run_parent_idx`. */
export async function listChildRuns(db: Database, runKey: string): Promise<ChildRecord[]> {
  const rows = await childrenOfRun(db).execute({ runKey })
  return rows.map((row) => ({
    runId: row.runId,
    dagName: row.dagName,
    step: row.step ?? '',
    iteration: row.iteration ?? 0,
    status: row.status as RunStatus,
    startedAt: row.startedAt ?? undefined,
    finishedAt: row.finishedAt ?? undefined,
    paramsGiven: row.paramsGiven ?? undefined,
    params: row.params ?? undefined,
  }))
}
