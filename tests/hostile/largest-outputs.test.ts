import { expect, it } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { Effort } from '#lib/definition/values/effort.ts'
import { lookUpPath } from '#lib/definition/values/json-document.ts'
import { plainText, readJson } from '#lib/definition/values/json-text.ts'
import { parallelItems } from '#lib/definition/values/parallel-items.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

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
])('the largest output of %s is read in under a second', (_, text) => {
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
