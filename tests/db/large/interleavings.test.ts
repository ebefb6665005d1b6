import { assert, asyncProperty } from 'fast-check'
import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { Interleaving, schedules } from '#tests/support/interleaving.ts'

const { db, open } = await testDatabase()
const actors = Array.from({ length: 4 }, () => open({ max: 1 }))

test('the invariants hold after every statement of any interleaving', async () => {
  const interleaving = await Interleaving.begin(db, actors)
  await assert(
    asyncProperty(schedules, (moves) => interleaving.play(moves)),
    {
      numRuns: 60,
      interruptAfterTimeLimit: 45_000,
      ...(process.env['FC_SEED'] !== undefined && { seed: Number(process.env['FC_SEED']) }),
    },
  )
  expect(interleaving.waits).toBeGreaterThan(0)
}, 120_000)
