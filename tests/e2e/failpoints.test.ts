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
/** Seconds since 1970 of the instant before: none comes twice, and none is late. */
let before = Math.floor(Date.now() / 1_000) - 100

afterEach(() => {
  atFailpoints(() => undefined)
})

/** What a watching tick does: again when a pass failed. */
async function tick(): Promise<void> {
  const log = createLog({ level: 'silent', part: 'tick' })
  const parts = { db, log, logs, definitions: createDefinitionReader(), leaseMs: 30_000, zone: 'UTC' }
  await until('a pass succeeds', () => runTick(parts).then(Boolean, () => undefined))
}

/** An instant comes: its run calls another. @returns what came of it */
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

test('each failpoint is come to while a scheduled run calls another', async () => {
  const seen = new Set<Failpoint>()
  atFailpoints((name) => seen.add(name))
  expect(await instant()).toMatchObject({ status: 'success' })
  await until('all were come to', () => seen.size === Object.keys(failpoints).length)
})

class Lost extends Error {
  readonly code = 'CONNECTION_CLOSED'
}

/** Where a statement was sent or answered: there a connection may be lost. */
const aroundStatements = (Object.keys(failpoints) as Failpoint[]).filter((name) =>
  /^(claim|renewal\.asking|journal|child|log|tick|schedule)/.test(name),
)

test.each(aroundStatements)(
  'a connection that is lost at %s changes nothing: once, all, and told',
  async (name) => {
    let left = 1
    atFailpoints((hit) => {
      if (hit === name && left-- > 0) throw new Lost(name)
    })
    // An answer to a claim that was lost leaves a claim that nobody knows: that run continues when its lease is over.
    if (name === 'claim.answered') {
      await createRuns(db, [runRequest({ dagName: 'ghost' })])
      await until('it was lost', () => left < 1)
      await db.sql`
      update millrace.dag_run set lease_until = clock_timestamp() - interval '1 s'
      where dag_name = 'ghost' and finished_at is null`
    }
    const { status, children } = await instant()
    expect([status, children.length]).toEqual(['success', 1])
    await until('it was come to', () => left < 1)
    const lines = readFileSync(said, 'utf8').split('\n')
    expect(lines.filter((line) => line === children[0])).toHaveLength(1)
    const [row] = await db.sql<{ key: string }[]>`
    select run_key::text as key from millrace.dag_run where run_id = ${children[0] ?? ''}`
    expect(await kit.log(row?.key ?? '', 'say')).toBe('said\n')
  },
)
