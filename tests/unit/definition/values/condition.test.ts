import { describe, expect, it } from 'vitest'
import { conditionMatches as matchSlices, expectedFault } from '#lib/definition/values/condition.ts'
import { outputMatches } from '#lib/definition/values/output-matcher.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'
import { finish } from '#tests/support/finish.ts'

const conditionMatches = (actual: string, expected: string): boolean => finish(matchSlices(actual, expected))

describe('conditionMatches', () => {
  it.each([
    ['beta', 'beta', true],
    ['beta', 'bet', false],
    ['', '', true],
    ['', 'x', false],
    ['a\nb\r\nc', 'b', true],
    ['a\nb', 'a\nb', true],
    ['a b', 'a', false],
    ['v2.17', 're:^v2\\.[0-9]+$', true],
    ['v3', 're:^v2', false],
    ['one\ntwo', 're:^two$', true],
    ['one\ntwo', 're:one.two', false],
    ['21', 're:^(1[89]|[2-9][0-9])$', true],
    ['12', 're:^(1[89]|[2-9][0-9])$', false],
    ['re:x', 're:x', true],
    ['größe', 're:^\\p{L}+$', true],
    ['anything', 're:', true],
  ])('compares %j with %j: %s', (actual, expected, result) => {
    expect(conditionMatches(actual, expected)).toBe(result)
  })

  it('says what is wrong with a pattern', () => {
    expect(() => conditionMatches('a', 're:(')).toThrow(
      '"(" is not a pattern (RE2 syntax): missing closing ): `(`',
    )
    expect(expectedFault('re:a(?=b)')).toContain('is not a pattern')
    expect(expectedFault(`re:${'a'.repeat(1_001)}`)).toBe('a pattern has at most 1000 characters')
    expect(expectedFault('re:^ok$')).toBeUndefined()
    expect(expectedFault('(')).toBeUndefined()
  })

  it('evaluates catastrophic patterns in time', () => {
    const spent = cpuTime()
    conditionMatches(`${'a'.repeat(20_000)}!`, 're:^(a+)+$')
    conditionMatches('x'.repeat(20_000), 're:(x+x+)+y')
    expect(expectedFault('re:((a{100}){100}){100}')).toContain('invalid repeat count')
    expect(expectedFault(`re:${'('.repeat(499)}${')'.repeat(499)}`)).toBeUndefined()
    expect(spent()).toBeLessThan(500)
  })
})

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function found(patterns: readonly string[], chunks: readonly (Uint8Array | string)[]): boolean {
  const matcher = outputMatches(patterns)
  for (const chunk of chunks) finish(matcher.push(typeof chunk === 'string' ? bytes(chunk) : chunk))
  return finish(matcher.end())
}

describe('outputMatches', () => {
  it.each([
    [['nothing to do'], ['nothing', ' to do today\n'], true],
    [['to do today'], ['nothing to d', 'o', ' tod', 'ay'], true],
    [['x'], ['abc'], false],
    [['x', 'c'], ['abc'], true],
    [[], ['abc'], false],
    [[''], ['abc'], false],
    [['re:^done [0-9]+$'], ['start\ndo', 'ne 1', '2\r\nend'], true],
    [['re:^done$'], ['done'], true],
    [['re:^done$'], ['x done\ny'], false],
    [['re:a.b'], ['a\nb'], false],
    [['re:^$'], ['a\n\nb'], true],
    [['re:^$'], ['a\n'], false],
  ])('looks for %j in %j: %s', (patterns, chunks, result) => {
    expect(found(patterns, chunks)).toBe(result)
  })

  it('matches characters that are split between two chunks', () => {
    const all = bytes('größe 🌱')
    for (let cut = 0; cut <= all.length; cut += 1) {
      expect(found(['größe 🌱'], [all.slice(0, cut), all.slice(cut)])).toBe(true)
      expect(found(['re:ö.*🌱$'], [all.slice(0, cut), all.slice(cut)])).toBe(true)
    }
  })

  it('matches the end of a very long line', () => {
    const matcher = outputMatches(['re:end$', 'never'])
    for (let count = 0; count < 200; count += 1) finish(matcher.push(bytes('x'.repeat(50_000))))
    finish(matcher.push(bytes('the end')))
    expect(finish(matcher.end())).toBe(true)
  })

  it('refuses an invalid pattern', () => {
    expect(() => outputMatches(['re:['])).toThrow('is not a pattern')
  })
})
