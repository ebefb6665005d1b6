import type { Database } from '#lib/db/client.ts'

/**
 * Takes scheduled runs of a DAG out of its queue that were made for instants before another; they are kept as
 * cancelled. Against a promotion at the same moment exactly one wins. Relies on `dag_run_active_dag_idx`.
 * @param input.beforeMs milliseconds since 1970
 */
export async function supersedeRuns(
  db: Database,
  input: { readonly dagName: string; readonly beforeMs: number },
): Promise<void> {
  await db.sql`
    select millrace.dequeue_run(r.run_key) from millrace.dag_run r
    where r.dag_name = ${input.dagName} and r.status = 'queued' and r.trigger_type = 'schedule'
      and r.parent_key is null and r.scheduled_at < to_timestamp(${input.beforeMs}::float8 / 1000)`
}
