import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { Effort } from '#lib/definition/values/effort.ts'
import { lookUpPath } from '#lib/definition/values/json-document.ts'
import { isJson } from '#lib/definition/values/json-scan.ts'
import { plainText, readJson } from '#lib/definition/values/json-text.ts'
import { parallelItems } from '#lib/definition/values/parallel-items.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

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

  it('decides as JSON.parse does about JSON in which a character was lost or doubled', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.boolean(), (json, place, isDoubled) => {
        const at = place % json.length
        const text = json.slice(0, isDoubled ? at + 1 : at) + json.slice(isDoubled ? at : at + 1)
        expect(isJson(json)).toBe(true)
        expect(isJson(text)).toBe(isParsed(text))
      }),
      { numRuns: 2_000 },
    )
  })
})

const size = limits.outputBytesMax
const filled = (open: string, piece: string, close: string): string =>
  Buffer.from(open + piece.repeat(Math.floor((size - 32) / piece.length)) + close).toString()

it.each([
  ['brackets within brackets', '['.repeat(size / 2) + ']'.repeat(size / 2)],
  ['empty objects', filled('[', '{},', '{}]')],
  ['empty texts', filled('[', '"",', '""]')],
  ['numbers and blanks', filled('[', '1 ,', '1]')],
  ['one key, again and again', filled('{', '"":1,', '"":1}')],
  ['escapes', filled('"', '\\"', '"')],
  ['commas', filled('x', ',', '')],
])('the largest output of %s holds nobody up', (_, text) => {
  const works = [
    () => readJson(text),
    () => lookUpPath(text, [7], new Effort()),
    () => lookUpPath(text, ['none'], new Effort()),
    () => parallelItems(text),
    () => {
      const json = readJson(text)
      return json && plainText(json)
    },
  ]
  for (const work of works) {
    const spent = cpuTime()
    work()
    expect(spent()).toBeLessThan(1_000)
  }
})
