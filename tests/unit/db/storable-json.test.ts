import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { storableJson } from '#lib/db/function-call.ts'

const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '')

test.each([
  ['a\0b', 'ab'],
  ['\ud800', '\ufffd'],
  ['x\udfffy', 'x\ufffdy'],
  ['\\u0000', '\\u0000'],
  ['\\\0', '\\'],
  ['😀\n"', '😀\n"'],
])('%j is stored as %j', (given, stored) => {
  expect(JSON.parse(storableJson({ [given]: [given] }))).toEqual({ [stored]: [stored] })
})

test('every text is read back unchanged, except for characters that cannot be stored', () => {
  const unit = fc.constantFrom('\0', '\\', 'u', '0', 'd', '8', '\ud800', '\udc00', 'é', '"', '\n')
  fc.assert(
    fc.property(fc.array(unit), (parts) => {
      const text = parts.join('')
      expect(JSON.parse(storableJson(text))).toBe(clean(text))
    }),
  )
})
