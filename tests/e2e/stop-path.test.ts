import { afterEach, expect, test } from 'vitest'
import { atFailpoints } from '#lib/core/failpoint.ts'
import { connect } from '#lib/db/client.ts'
import { stopRun } from '#lib/runs/stop/stop-run.ts'
import { until } from '#tests/support/until.ts'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()
const { db } = kit
const spec = ['steps:', '  - {name: wait, command: echo waiting; exec sleep 600}']

afterEach(() => {
  atFailpoints(() => undefined)
})

async function stopped(runKey: string): Promise<void> {
  await kit.printed(runKey, 'wait', 'waiting')
  expect(await stopRun(db, { runKey })).toBe('stopping')
  expect(await kit.finished(runKey)).toMatchObject({ status: 'cancelled', steps: { wait: 'cancelled' } })
}

test('a stop reaches a run while lease renewals fail', async () => {
  let renewals = 0
  // The first renewal registers the runner, and all others fail.
  atFailpoints((name) => {
    if (name === 'renewal.asking' && renewals++ > 0) throw new Error('no renewal')
  })
  const runner = kit.runner({ renewEveryMs: 100 })
  const runKey = await kit.start(spec)
  await until('a renewal has failed', () => renewals > 1)
  await stopped(runKey)
  await runner.stop()
})

test('a stop reaches a run behind a pooler, without notifications', async () => {
  const pooled = connect(kit.url, { max: 4, applicationName: 'pooled', prepare: false })
  const runner = kit.runner({ db: pooled, renewEveryMs: 100, pollEveryMs: 100 })
  await stopped(await kit.start(spec))
  await runner.stop()
  await pooled.close()
})
