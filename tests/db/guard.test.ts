import { describe, expect, test } from 'vitest'
import { runStatuses, type RunStatus } from '#lib/core/status.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'

const { db } = await testDatabase()
const final: readonly RunStatus[] = ['failed', 'cancelled', 'success', 'partial_success']

/** The allowed transitions, written by hand: the trigger must allow these and no others. */
const allowed = new Set([
  'queued>not_started',
  'queued>cancelled',
  'not_started>queued',
  'not_started>running',
  'not_started>cancelled',
  'not_started>failed',
  ...final.map((end) => `running>${end}`),
])

/** A run in a status that was set without the guard. */
async function runIn(status: RunStatus): Promise<string> {
  const [outcome] = await createRuns(db, [runRequest()])
  const runKey = outcome?.runKey ?? ''
  await db.sql.unsafe(`
    alter table millrace.dag_run disable trigger dag_run_transition;
    update millrace.dag_run set status = '${status}', ready_at = null,
      finished_at = case when '${status}' in ('${final.join("','")}') then now() end
    where run_key = ${runKey};
    alter table millrace.dag_run enable trigger dag_run_transition;`)
  return runKey
}

async function move(runKey: string, to: RunStatus): Promise<unknown> {
  return db.sql`
    update millrace.dag_run
    set status = ${to}, finished_at = case when ${final.includes(to)}::boolean then now() end
    where run_key = ${runKey}`
}

describe.each(runStatuses)('a run that is %s', (from) => {
  test.each(runStatuses.filter((to) => to !== from))(
    'changes to %s only if the transition is allowed',
    async (to) => {
      const runKey = await runIn(from)
      if (allowed.has(`${from}>${to}`)) await move(runKey, to)
      else await expect(move(runKey, to)).rejects.toThrow(/cannot go from|has ended/)
      const [row] = await db.sql`select status from millrace.dag_run where run_key = ${runKey}`
      expect(row?.['status']).toBe(allowed.has(`${from}>${to}`) ? to : from)
      await db.sql`delete from millrace.dag_run where run_key = ${runKey}`
    },
  )
})

test('a claim token never falls', async () => {
  const [outcome] = await createRuns(db, [runRequest()])
  const runKey = outcome?.runKey ?? ''
  await db.sql`update millrace.dag_run set claim_token = 5 where run_key = ${runKey}`
  await expect(db.sql`update millrace.dag_run set claim_token = 4 where run_key = ${runKey}`).rejects.toThrow(
    'a claim token never falls',
  )
})

test.each([
  ['a status that does not exist', `status = 'paused'`],
  ['an end without a time', `status = 'failed'`],
  ['a time without an end', `finished_at = now()`],
  ['a lease without an owner', `lease_until = now()`],
  ['an owner of a run that does not run', `lease_owner = 'a', lease_until = now()`],
  ['the id latest', `run_id = 'latest'`],
  ['a child without a root', `parent_key = run_key, parent_step = 'x'`],
])('%s is refused', async (_, change) => {
  const [outcome] = await createRuns(db, [runRequest()])
  const update = db.sql.unsafe(`update millrace.dag_run set ${change} where run_key = ${outcome?.runKey}`)
  await expect(update).rejects.toThrow(/violates check constraint|cannot go from/)
})
