import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Effort } from '#lib/definition/values/effort.ts'
import { lookUpPath } from '#lib/definition/values/json-document.ts'
import { type PathStep, readPath } from '#lib/definition/values/json-path.ts'
import { elementsOf, kindOf, membersOf, plainText, readJson } from '#lib/definition/values/json-text.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

function read(text: string) {
  const span = readJson(text)
  if (span === undefined) throw new Error('not JSON')
  return span
}

const followPath = (text: string, steps: readonly PathStep[]) => lookUpPath(text, steps, new Effort())?.found

describe('JSON as text', () => {
  it('recognises JSON and its kind', () => {
    const kinds = ['{}', ' [1]', '"x"', '-1.5', 'true', 'false', 'null'].map((text) => kindOf(read(text)))
    expect(kinds).toEqual(['object', 'array', 'string', 'number', 'boolean', 'boolean', 'null'])
    for (const text of ['', ' ', '{', 'x', "{'a':1}", '1 2', 'NaN', '[1,]'])
      expect(readJson(text), text).toBeUndefined()
  })

  it('keeps numbers as written and the last of repeated keys', () => {
    expect(plainText(read(' { "a" : 1.0 , "b":[ 12345678901234567890, -0 ] } '))).toBe(
      '{"a":1.0,"b":[12345678901234567890,-0]}',
    )
    const last = followPath('{"a":1,"a":2}', ['a'])
    expect(last && plainText(last)).toBe('2')
  })

  it('treats the names of prototypes as keys', () => {
    const found = followPath('{"__proto__":{"x":1},"constructor":2}', ['__proto__', 'x'])
    expect(found && plainText(found)).toBe('1')
    expect(followPath('{}', ['constructor'])).toBeUndefined()
    expect(followPath('[1]', ['length'])).toBeUndefined()
  })

  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const span = read(` ${JSON.stringify(value, null, indent)}\n`)
        const again: unknown = JSON.parse(JSON.stringify(value))
        const text = typeof again === 'string' ? again : again === null ? '' : JSON.stringify(value)
        expect(plainText(span)).toBe(text)
        const members = [...membersOf(span)].map(
          ([key, one]) => [key, one.text.slice(one.start, one.end)] as const,
        )
        for (const [key, written] of members) {
          expect(JSON.parse(written)).toEqual((again as Record<string, unknown>)[key])
        }
        const elements = [...elementsOf(span)].map((one): unknown =>
          JSON.parse(one.text.slice(one.start, one.end)),
        )
        expect(elements).toEqual(Array.isArray(again) ? again : [])
      }),
    )
  })

  it('reads a megabyte of nesting, strings and slashes within a second', () => {
    const texts = [
      '['.repeat(500_000) + ']'.repeat(500_000),
      `["${'\\\\'.repeat(300_000)}"]`,
      `[${'"a",'.repeat(200_000)}1]`,
      `{${'"a":{},'.repeat(100_000)}"b":1}`,
    ]
    const spent = cpuTime()
    for (const text of texts) plainText(read(text))
    expect(spent()).toBeLessThan(1_000)
  })
})

describe('paths', () => {
  it.each([
    ['.a.b[0]', 'braced', ['a', 'b', 0]],
    ['.a-b.[2]["c d"][\'e\']}', 'braced', ['a-b', 2, 'c d', 'e']],
    ['.a-b', 'bare', ['a']],
    ['.', 'bare', []],
    ['[-1].größe_1!', 'bare', [-1, 'größe_1']],
    ['["x"]', 'bare', []],
    ['[x].a', 'braced', []],
  ] as const)('%s is read as a %s path', (text, style, steps) => {
    expect(readPath(text, 0, style).steps).toEqual(steps)
  })
})
