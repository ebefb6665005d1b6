import type { Database } from '#lib/db/client.ts'

/** Changes runs in a way that the service refuses, such as when an ended run has begun. */
export async function rewriteRuns({ sql }: Database, change: string, runId: string): Promise<void> {
  await sql.unsafe(`
    alter table millrace.dag_run disable trigger user;
    update millrace.dag_run set ${change} where run_id = '${runId}';
    alter table millrace.dag_run enable trigger user`)
}
