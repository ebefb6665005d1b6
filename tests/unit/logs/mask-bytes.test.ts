import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskBytes } from '#lib/logs/mask-bytes.ts'

function masked(secrets: readonly string[], pieces: readonly string[]): string {
  const mask = maskBytes(secrets)
  const shown = pieces.map((piece) => mask.push(Buffer.from(piece)))
  return Buffer.concat([...shown, mask.end()]).toString()
}

test('a secret that another begins with leaves nothing of the other, however they are split', () => {
  expect(masked(['key', 'key-long'], ['a key', '-long one'])).toBe('a ******* one')
  expect(masked(['key', 'key-long'], ['a key', '-lonely one'])).toBe('a *******-lonely one')
  expect(masked(['key', 'key-long'], ['a key'])).toBe('a *******')
})

test('where a text is split makes no difference', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), fc.array(text, { maxLength: 6 }), (secrets, pieces) => {
      expect(masked(secrets, pieces)).toBe(masked(secrets, [pieces.join('')]))
    }),
    { numRuns: 2_000 },
  )
})
