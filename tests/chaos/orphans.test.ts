import { expect, test } from 'vitest'
import { orphans } from './orphans.ts'

test('whatever a step leaves behind is dead 2 s after its end, also when its runner was killed or hangs', async () => {
  expect(await orphans(4)).toMatchObject({ looked: 16, wrong: [] })
}, 120_000)
