import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJson } from '#lib/definition/values/json-scan.ts'

function isParsed(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const marks = [
  ...Array.from('{}[]",:\\/0123-+.eEtrufalsn\t\n \u0000é'),
  '""',
  '"a":',
  'true',
  'null',
  '\\u00',
  '1e',
  '-0',
]

describe('isJson', () => {
  it('decides as JSON.parse does', () => {
    const texts = [
      '-',
      '01',
      '1.',
      '.5',
      '1e',
      '-1E+5',
      '"\\x"',
      '"\\u12g4"',
      '{"a" 1}',
      '[1 2]',
      '{,}',
      ' \u00a01',
    ]
    for (const text of texts) expect([text, isJson(text)]).toEqual([text, isParsed(text)])
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...marks), { maxLength: 12 }), (parts) => {
        expect(isJson(parts.join(''))).toBe(isParsed(parts.join('')))
      }),
      { numRuns: 5_000 },
    )
  })

  it('decides as JSON.parse does about JSON with a missing or doubled character', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.boolean(), (json, position, isDoubled) => {
        const at = position % json.length
        const text = json.slice(0, isDoubled ? at + 1 : at) + json.slice(isDoubled ? at : at + 1)
        expect(isJson(json)).toBe(true)
        expect(isJson(text)).toBe(isParsed(text))
      }),
      { numRuns: 2_000 },
    )
  })
})
