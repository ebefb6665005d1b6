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

test('secrets that overlap are masked together', () => {
  expect(masked(['abc', 'bcd'], ['-abcd-'])).toBe('-*******-')
  expect(masked(['abc', 'b', 'cde'], ['-ab', 'cde-b'])).toBe('-*******-*******')
})

test('every byte of a secret is masked, and no other', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), fc.array(text, { maxLength: 8 }), (secrets, pieces) => {
      const whole = pieces.join('')
      const covered = new Set<number>()
      const inner = new Set<number>()
      for (const secret of secrets) {
        for (let at = whole.indexOf(secret); at >= 0; at = whole.indexOf(secret, at + 1)) {
          for (let place = at; place < at + secret.length; place++) covered.add(place)
          for (let place = at + 1; place < at + secret.length; place++) inner.add(place)
        }
      }
      const expected = whole
        .split('')
        .map((sign, at) => (covered.has(at) ? (inner.has(at) ? '' : '*******') : sign))
      expect(masked(secrets, pieces)).toBe(expected.join(''))
    }),
    { numRuns: 5_000 },
  )
})

test('a caller may write into its buffer again', () => {
  const mask = maskBytes(['secret'])
  const bytes = Buffer.from('a secr')
  const first = Buffer.from(mask.push(bytes)).toString()
  bytes.fill('x')
  expect(first + Buffer.concat([mask.push(Buffer.from('ea')), mask.end()]).toString()).toBe('a secrea')
})
