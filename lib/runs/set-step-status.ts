import type { StepStatus } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'

/** Sets the status of a step of a run that has ended. */
export async function setStepStatus(
  db: Database,
  input: { runKey: string; name: string; place: number; status: StepStatus },
): Promise<'set' | 'running'> {
  const { runKey, name, place, status } = input
  const rows = await db.sql<{ result: 'set' | 'running' }[]>`
    select millrace.set_step_status(${runKey}::bigint, ${name}, ${place}::int, ${status}) as result
  `
  return rows[0]?.result ?? 'running'
}
