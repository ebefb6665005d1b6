import { expect, test } from 'vitest'
import { orphans } from './orphans.ts'

test('processes that a step leaves behind die within 2 s, even if its runner is killed or hangs', async () => {
  expect(await orphans(4)).toMatchObject({ looked: 16, wrong: [] })
}, 120_000)
