import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { continueStops } from '#lib/runs/stop/continue-stops.ts'
import { takeOverLostRuns } from '#lib/runs/claim/take-over-lost-runs.ts'
import { openMailbox } from '#tests/support/mailbox.ts'
import { until } from '#tests/support/until.ts'
import { runnerKit } from './runner-kit.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const kit = await runnerKit()
const mailbox = await openMailbox()
afterAll(() => mailbox.close())
const top = new URL('../..', import.meta.url).pathname

/** Starts a runner process, and waits until one of its steps kills it. */
async function runUntilKilled(): Promise<void> {
  const child = spawn(process.execPath, ['local/runner.ts'], {
    cwd: top,
    stdio: 'ignore',
    env: {
      ...process.env,
      DATABASE_URL: kit.url,
      MILLRACE_DATA_DIR: temporaryFolder('millrace-killed'),
      MILLRACE_RUNNER_LABELS: 'part=parent',
    },
  })
  try {
    const [, signal] = (await once(child, 'exit', { signal: AbortSignal.timeout(30_000) })) as [
      unknown,
      string,
    ]
    expect(signal).toBe('SIGKILL')
  } finally {
    child.kill('SIGKILL')
  }
}

async function takeOver(runKey: string): Promise<void> {
  await kit.db
    .sql`update millrace.dag_run set lease_until = now() - interval '1 s' where run_key = ${runKey}::bigint`
  await takeOverLostRuns(kit.db, { limit: 10, leaseMs: 0 })
}

const spec = (killer: string, folder: string): string => `
workerSelector: {part: parent}
type: graph
smtp: {host: 127.0.0.1, port: "${mailbox.port}"}
mailOn: {failure: true}
errorMail: {from: a@example.com, to: b@example.com}
handlerOn:
  failure: {command: "echo failure $DAG_RUN_STATUS >> ${folder}/handled"}
  exit: {command: "${killer === 'exit' ? 'kill -9 $PPID' : `echo exit >> ${folder}/handled`}"}
steps:
  - {name: call, call: below}
  - name: poison
    command: |
      while [ ! -e ${folder}/child ]; do sleep 0.02; done
      kill -9 $PPID
    retryPolicy: {limit: 9, intervalSec: 0}
  - {name: later, command: "echo later", depends: [call]}
---
name: below
workerSelector: {part: child}
steps:
  - {name: long, command: "touch ${folder}/child; sleep 600"}
`

kit.runner({ labels: { part: 'child' }, renewEveryMs: 200 })

test('a run that kills its third runner fails, stops its children, runs its handlers and sends its mail', async () => {
  const folder = temporaryFolder('millrace-third')
  const runKey = await kit.start(spec('poison', folder))
  for (let loss = 0; loss < 3; loss++) {
    await runUntilKilled()
    await takeOver(runKey)
  }
  expect(await continueStops(kit.db, { limit: 100 })).toBe(1)
  const last = kit.runner({ labels: { part: 'parent' } })
  expect(await kit.finished(runKey)).toEqual({
    status: 'failed',
    error: 'the run lost its runner three times in a row',
    steps: { call: 'failed', poison: 'failed', onFailure: 'success', onExit: 'success' },
    errors: { call: 'runner lost', poison: 'runner lost' },
  })
  expect(readFileSync(join(folder, 'handled'), 'utf8')).toBe('failure failed\nexit\n')
  const [child] = await kit.db.sql<{ key: string }[]>`
    select run_key::text as key from millrace.dag_run where parent_key = ${runKey}::bigint`
  expect(await kit.finished(child?.key ?? '')).toMatchObject({
    status: 'cancelled',
    steps: { long: 'cancelled' },
  })
  await until('the mail has come', () => mailbox.received.length === 1)
  await last.stop()
}, 120_000)

test('a run whose handler kills the fourth runner fails without any runner', async () => {
  const folder = temporaryFolder('millrace-third')
  const runKey = await kit.start(spec('exit', folder))
  for (let loss = 0; loss < 4; loss++) {
    await runUntilKilled()
    await takeOver(runKey)
  }
  await continueStops(kit.db, { limit: 100 })
  expect(await kit.finished(runKey)).toMatchObject({
    status: 'failed',
    error: 'the run lost its runner three times in a row',
    steps: { poison: 'failed', onFailure: 'success', onExit: 'failed' },
  })
  await until('its children have ended', async () => {
    const left = await kit.db.sql`select from millrace.dag_run where finished_at is null`
    return left.length === 0
  })
}, 120_000)
