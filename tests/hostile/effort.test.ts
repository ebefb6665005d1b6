import { describe, expect, it } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { expand, expandInOrder } from '#lib/definition/values/expand.ts'
import { lookForPattern } from '#lib/definition/values/line-patterns.ts'
import { bounded } from '#lib/definition/values/reference.ts'
import type { Scope } from '#lib/definition/values/scope.ts'
import { shellTexts } from '#lib/definition/values/shell-text.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

const scopeOf = (variables: Record<string, string>): Scope => ({
  variables: new Map(Object.entries(variables)),
  positional: [],
  steps: new Map(),
})

const noCommand = (): Promise<string> => Promise.reject(new Error('no command was expected'))
const numbered = (count: number, text: (position: number) => string): string =>
  Array.from({ length: count }, (_, position) => text(position)).join('')

const members = numbered(100_000, (position) => `"k${position}":${position},`)
const document = `{${members}"last":{"in":[1,2]}}`
const refusal = `read more than ${limits.expansionLengthMax} characters of values`

describe('a text with a hundred thousand references', () => {
  it.each([
    ['to members of one document', (position: number) => `\${D.k${position}}`, document],
    ['to what a document does not have', (position: number) => `\${D.no${position}}`, document],
    ['into a document', () => '${D.last.in[-1]}', document],
    ['to a text that is not JSON', (position: number) => `\${D.k${position}}`, 'x'.repeat(1_000_000)],
  ])('%s is expanded in time', async (_, reference, value) => {
    const text = numbered(100_000, reference)
    const scope = scopeOf({ D: value })
    const spent = cpuTime()
    await expand(text, scope, noCommand)
    shellTexts([text], scope)
    expect(spent()).toBeLessThan(1_500)
  })

  it.each([
    ['pieces', '${D:900000:9}', `"${'x'.repeat(999_998)}"`],
    ['of two documents by turns', '${D.a}${E.a}', '[]'.padStart(9_000_000)],
  ])('to %s of large values is refused', async (_, reference, value) => {
    const scope = scopeOf({ D: value, E: ` ${value}` })
    const spent = cpuTime()
    await expect(expand(reference.repeat(100_000), scope, noCommand)).rejects.toThrow(refusal)
    expect(() => shellTexts([reference.repeat(100_000)], scope)).toThrow(refusal)
    expect(spent()).toBeLessThan(3_000)
  })
})

it('a default with a hundred thousand references is read', async () => {
  const text = `\${NONE:-${'$A'.repeat(100_000)}}`
  expect(await expand(text, scopeOf({ A: 'a' }), noCommand)).toBe('a'.repeat(100_000))
})

it('entries that double in size are refused before they exhaust memory', async () => {
  const entries = Array.from({ length: 100 }, (_, position) => ({
    name: `A${position + 1}`,
    value: '$A0$A0',
  }))
  const scope = scopeOf({ A0: 'x'.repeat(1_000_000) })
  await expect(expandInOrder(entries, scope, noCommand)).rejects.toThrow(refusal)
})

it('the texts of one step share one limit', async () => {
  const scope = bounded(scopeOf({ A: 'x'.repeat(4_000_000) }))
  const expandAll = async (): Promise<void> => {
    for (let count = 0; count < 40; count++) await expand('$A', scope, noCommand)
  }
  await expect(expandAll()).rejects.toThrow(refusal)
})

it('generated variables have short names and a limited total size', () => {
  const taken = 'MILLRACE_VALUE_X_'.repeat(20_000)
  const { env } = shellTexts([`${taken} \${D.k1}`], scopeOf({ D: document }))
  expect(Object.keys(env).join('')).toHaveLength('MILLRACE_VALUE_X1_1'.length)
  const slices = numbered(1_000, (position) => `\${D.a:${position}:999999}`)
  const value = JSON.stringify({ a: 'x'.repeat(1_000_000) })
  expect(() => shellTexts([slices], scopeOf({ D: value }))).toThrow(refusal)
})

it('the programs of a step with thousands of variables are rewritten in time', () => {
  const variables = Object.fromEntries(Array.from({ length: 20_000 }, (_, position) => [`V${position}`, '']))
  const programs = Array.from({ length: 20_000 }, (_, position) => `echo \${D.k${position}}`)
  const spent = cpuTime()
  expect(Object.keys(shellTexts(programs, scopeOf({ ...variables, D: document })).env)).toHaveLength(20_000)
  expect(spent()).toBeLessThan(1_000)
})

describe('a pattern that needs a new state for each character', () => {
  // Not periodic, so no state occurs twice.
  let seed = 1
  const text = Array.from({ length: 131_072 }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return 'ab'[seed % 2]
  })
  it.each(['[ab]*a[ab]{280}[cd]', String.raw`\w*a\w{130}[!?]|\w*b\w{130}[;?]`])(
    '%s is matched in short slices',
    (pattern) => {
      const slices = lookForPattern(pattern)(text.join(''), true)
      const times: number[] = []
      for (let isDone = false; !isDone;) {
        const spent = cpuTime()
        isDone = slices.next().done === true
        times.push(spent())
      }
      // Some slices pay for garbage collection: the slowest quarter is ignored.
      expect(times.toSorted((a, b) => b - a)[times.length >> 2]).toBeLessThan(60)
    },
  )
})
