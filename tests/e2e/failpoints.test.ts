import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { atFailpoints, failpoints, type Failpoint } from '#lib/core/failpoint.ts'
import { createDag } from '#lib/dags/create-dag.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { createDefinitionReader } from '#lib/runs/read/read-definition.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { runTick } from '#lib/tick/run-tick.ts'
import { runRequest } from '#tests/support/run-request.ts'
import { until } from '#tests/support/until.ts'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()
const { db, logs, folder } = kit
kit.runner({ renewEveryMs: 200, pollEveryMs: 100 })
const said = join(folder, 'said')
const parent = 'schedule: 0 0 29 2 *\noverlapPolicy: all\nsteps:\n  - {name: call, call: child}\n'
await createDag(db, { fileName: 'parent', spec: parent, zone: 'UTC' })
const child = `steps:\n  - {name: say, command: "echo said; echo $DAG_RUN_ID >> ${said}"}\n`
await createDag(db, { fileName: 'child', spec: child, zone: 'UTC' })
/** Seconds since 1970 of the last scheduled instant: each is used once, and none is too late to run. */
let before = Math.floor(Date.now() / 1_000) - 100

afterEach(() => {
  atFailpoints(() => undefined)
})

/** Ticks until a pass succeeds, as a running tick does. */
async function tick(): Promise<void> {
  const log = createLog({ level: 'silent', part: 'tick' })
  const parts = { db, log, logs, definitions: createDefinitionReader(), leaseMs: 30_000, zone: 'UTC' }
  await until('a pass succeeds', () => runTick(parts).then(Boolean, () => undefined))
}

/** Makes the schedule due; its run starts a child run. @returns the status of the run, and its successful children */
async function instant(): Promise<{ readonly status: string; readonly children: string[] }> {
  const [row] = await db.sql<{ at: string }[]>`
    update millrace.schedule set next_at = to_timestamp(${++before}::int)
    returning next_at::text as at`
  await tick()
  const ended = await until('the run has ended', async () => {
    const runs = await db.sql<{ status: string; key: string }[]>`
      select status, run_key::text as key from millrace.dag_run
      where dag_name = 'parent' and scheduled_at = ${row?.at ?? ''}::text::timestamptz and finished_at is not null`
    expect(runs.length).toBeLessThan(2)
    return runs[0]
  })
  const children = await db.sql<{ id: string }[]>`
    select run_id as id from millrace.dag_run where parent_key = ${ended.key}::bigint and status = 'success'`
  return { status: ended.status, children: children.map(({ id }) => id) }
}

test('a scheduled run with a child run reaches every failpoint', async () => {
  const seen = new Set<Failpoint>()
  atFailpoints((name) => seen.add(name))
  expect(await instant()).toMatchObject({ status: 'success' })
  await until('all failpoints are reached', () => seen.size === Object.keys(failpoints).length)
})

class Lost extends Error {
  readonly code = 'CONNECTION_CLOSED'
}

/** The failpoints around a statement, where a connection may be lost. */
const aroundStatements = (Object.keys(failpoints) as Failpoint[]).filter((name) =>
  /^(claim|renewal\.asking|journal|child|log|tick|schedule)/.test(name),
)

test.each(aroundStatements)(
  'a connection lost at %s makes no difference: the step runs once and its log is complete',
  async (name) => {
    let left = 1
    atFailpoints((hit) => {
      if (hit === name && left-- > 0) throw new Lost(name)
    })
    // A lost response leaves a claim that its runner does not know: the run continues when the lease has expired.
    if (name === 'claim.answered') {
      await createRuns(db, [runRequest({ dagName: 'ghost' })])
      await until('the connection is lost', () => left < 1)
      await db.sql`
      update millrace.dag_run set lease_until = clock_timestamp() - interval '1 s'
      where dag_name = 'ghost' and finished_at is null`
    }
    const { status, children } = await instant()
    expect([status, children.length]).toEqual(['success', 1])
    await until('the failpoint is reached', () => left < 1)
    const lines = readFileSync(said, 'utf8').split('\n')
    expect(lines.filter((line) => line === children[0])).toHaveLength(1)
    const [row] = await db.sql<{ key: string }[]>`
    select run_key::text as key from millrace.dag_run where run_id = ${children[0] ?? ''}`
    expect(await kit.log(row?.key ?? '', 'say')).toBe('said\n')
  },
)
