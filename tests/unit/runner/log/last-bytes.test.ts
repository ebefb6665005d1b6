import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LastBytes } from '#lib/runner/log/last-bytes.ts'

test('the last bytes are kept from the start of a line, whatever the pieces', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 9_000 })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 0, max: 12_000 }), (pieces, most) => {
      const last = new LastBytes(most)
      for (const text of pieces) last.add(Buffer.from(text))
      const { bytes, dropped } = last.take()
      const all = pieces.join('')
      expect(Buffer.from(bytes).toString()).toBe(all.slice(dropped))
      const tail = all.slice(Math.max(0, all.length - most))
      const feed = tail.indexOf('\n')
      const skipped = tail.length === all.length || feed < 0 || feed === tail.length - 1 ? 0 : feed + 1
      expect(dropped).toBe(all.length - tail.length + skipped)
    }),
    { numRuns: 200 },
  )
})

test('a line that is cut begins with a whole character', () => {
  const last = new LastBytes(5)
  last.add(Buffer.from('äöü€'))
  const { bytes, dropped } = last.take()
  expect([Buffer.from(bytes).toString(), dropped]).toEqual(['ü€', 4])
})
