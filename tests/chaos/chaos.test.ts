import { expect, test } from 'vitest'
import { hasPooler } from '#tests/support/pgbouncer.ts'
import { chaos } from './chaos.ts'
import { scales } from './scales.ts'

test('killing, stopping and restarting processes loses, repeats and leaves behind nothing', async () => {
  const { accepted, injected, drilled, findings } = await chaos(scales.test, 7)
  expect(accepted).toBeGreaterThan(0)
  expect(injected.counts.killRunner).toBeGreaterThan(0)
  expect(injected.counts.cutConnection).toBeGreaterThan(0)
  // The number depends on the load of the machine; `npm run chaos -- --failpoints` reaches all.
  expect(drilled.hits.length).toBeGreaterThan(0)
  expect(findings.filter(({ wrong }) => wrong.length > 0)).toEqual([])
}, 240_000)

test.skipIf(!hasPooler)(
  'behind a transaction pooler, killing and restarting processes loses, repeats and leaves behind nothing',
  async () => {
    const { accepted, injected, findings } = await chaos(
      { ...scales.test, failpointTimes: 0, pooled: true },
      7,
    )
    expect(accepted).toBeGreaterThan(0)
    expect(injected.counts.endBackend).toBeGreaterThan(0)
    expect(findings.filter(({ wrong }) => wrong.length > 0)).toEqual([])
  },
  240_000,
)
