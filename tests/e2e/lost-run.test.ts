import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { atFailpoints, type Failpoint } from '#lib/core/failpoint.ts'
import type { Log } from '#lib/telemetry/log.ts'
import { until } from '#tests/support/until.ts'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()
const thief = new URL('../support/steal-run.ts', import.meta.url).pathname
const leaseMs = 1_500

afterEach(async () => {
  atFailpoints(() => undefined)
  await kit.db.sql`delete from millrace.dag_run`
})

/** Makes the runner hang at a failpoint for longer than its lease, while another owner takes its run. */
function hangAt(name: Failpoint, runKey: () => string): { readonly hasHung: () => boolean } {
  let isDone = false
  atFailpoints((hit) => {
    if (hit !== name || isDone || runKey() === '') return
    isDone = true
    spawnSync(process.execPath, [thief, kit.url, runKey(), String(leaseMs)], { stdio: 'ignore' })
  })
  return { hasHung: () => isDone }
}

/** A log that keeps the events of a runner. */
function listen(): { readonly log: Log; readonly hasForgotten: () => boolean } {
  const events: string[] = []
  const skip = (): void => undefined
  return {
    log: { debug: skip, warn: skip, error: skip, info: ({ event }) => events.push(event) },
    hasForgotten: () => events.includes('run.lease-lost'),
  }
}

const owner = async (runKey: string): Promise<unknown> => {
  const [row] = await kit.db.sql`select lease_owner from millrace.dag_run where run_key = ${runKey}::bigint`
  return row?.['lease_owner']
}

test('a runner that hung before it started a process does not start it after losing the run', async () => {
  let runKey = ''
  const { hasHung } = hangAt('attempt.ready', () => runKey)
  const { log, hasForgotten } = listen()
  const runner = kit.runner({ leaseMs, renewEveryMs: 300, log })
  const file = join(kit.folder, 'started')
  runKey = await kit.start(`steps:\n  - {name: late, command: "touch ${file}"}\n`)
  await until('it hung', hasHung)
  await until('it has dropped the run', hasForgotten)
  await runner.stop()
  expect(existsSync(file)).toBe(false)
  expect(await owner(runKey)).toBe('thief')
})

test('a runner that has lost a run kills its processes at once', async () => {
  const { log, hasForgotten } = listen()
  const runner = kit.runner({ renewEveryMs: 300, log })
  const [alive, dead] = [join(kit.folder, 'alive'), join(kit.folder, 'dead')]
  const runKey = await kit.start(
    `steps:\n  - {name: long, command: "touch ${alive}; sleep 8; touch ${dead}"}\n`,
  )
  await until('its step runs', () => existsSync(alive))
  spawnSync(process.execPath, [thief, kit.url, runKey, '0'], { stdio: 'ignore' })
  await until('it has dropped the run', hasForgotten, {
    withinMs: 4_000,
  })
  await runner.stop()
  expect(existsSync(dead)).toBe(false)
  expect(await owner(runKey)).toBe('thief')
})
