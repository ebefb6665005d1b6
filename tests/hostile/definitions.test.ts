import { describe, expect, it } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { faultsOf } from '#tests/unit/definition/spec-reading.ts'

const repeat = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('')

/** Far more than any of these takes, in milliseconds. Without bounds a file takes minutes, or crashes the process. */
const timeout = 4_000

const tooMuch: readonly (readonly [string, string, RegExp])[] = [
  ['more bytes than a file may have', `#${'x'.repeat(limits.specBytesMax)}`, /at most 1048576 bytes/],
  ['more bytes than characters', `#${'é'.repeat(600_000)}`, /at most 1048576 bytes/],
  ['a million line breaks', '\n'.repeat(1_000_000), /at most 150000 lines/],
  ['brackets within brackets', '['.repeat(10_000), /at most 64 levels deep/],
  ['braces within braces', `steps: ${'{a: '.repeat(100_000)}`, /at most 64 levels deep/],
  ['dashes behind dashes', '- '.repeat(100_000), /at most 64 levels deep/],
  ['keys below keys', repeat(200, (index) => `${' '.repeat(index)}a:\n`), /at most 64 levels deep/],
  ['explicit keys within each other', '? '.repeat(10_000), /at most 64 levels deep/],
  ['a megabyte of anchors', repeat(200_000, () => '&a '), /at most 1000 anchors/],
  ['an anchor on each of many values', repeat(50_000, (index) => `- &a${index} x\n`), /at most 1000 anchors/],
  ['a megabyte of aliases', `a: &a 1\nb:\n${repeat(100_000, () => '- *a\n')}`, /at most 1000 aliases/],
  ['a megabyte of tags', repeat(100_000, () => '- !!str a\n'), /at most 1000 tags/],
  ['many documents', repeat(50_000, () => 'a: 1\n---\n'), /at most 50 documents/],
  [
    'one document more than a file may have',
    repeat(51, (index) => `---\nname: d${index}\n`).slice(4),
    /line 100, column 1: a DAG file has at most 50 documents/,
  ],
  ['many empty documents', repeat(100_000, () => '---\n'), /at most 50 documents/],
  ['many values', repeat(140_000, () => '- a\n'), /too large|at most 100000 values/],
  ['many values on a line', `[${'a,'.repeat(300_000)}]`, /too large|at most 100000 values/],
  ['a million wrong escapes', `a: "${String.raw`\q`.repeat(500_000)}"`, /means nothing in double quotes/],
  [
    'aliases of aliases of aliases',
    `a: &a [x,x,x,x,x,x,x,x,x,x]\n${repeat(8, (index) => {
      const [from, to] = ['abcdefghi'[index], 'bcdefghij'[index]]
      return `${to}: &${to} [${repeat(10, () => `*${from},`)}]\n`
    })}`,
    /at most 100000 values and 4194304 characters, aliases included/,
  ],
  [
    'aliases of a long text',
    `a: &a ${'x'.repeat(900_000)}\nb: [${repeat(100, () => '*a,')}]\n`,
    /at most 100000 values and 4194304 characters, aliases included/,
  ],
  [
    'maps that are merged hundreds of times',
    `a: &a {${repeat(400, (index) => `k${index}: 1,`)}}\nb:\n${repeat(900, () => '- {<<: *a}\n')}`,
    /at most 100000 values and 4194304 characters, aliases included/,
  ],
  [
    'more steps than a DAG may have',
    `steps:\n${repeat(5_001, () => '- a\n')}`,
    /steps must be at most 5000 steps, are 5001/,
  ],
  [
    'two large groups of steps',
    `steps:\n- [${repeat(500, () => 'a,')}]\n- [${repeat(500, () => 'a,')}]\n`,
    /depends must be at most 200000 in the DAG, are 250000/,
  ],
  [
    'thousands of schedules',
    `schedule:\n${repeat(10_000, (index) => `- CRON_TZ=Europe/Berlin ${index % 60} * * * *\n`)}`,
    /at most 300 schedules/,
  ],
  ['thousands of params', `params: "${'a '.repeat(50_000)}"`, /params must be at most 10000/],
  [
    'a schema with hundreds of patterns',
    `params: {schema: {properties: {${repeat(600, (n) => `p${n}: {pattern: "(a{100}){10}${n}"},`)}}}}`,
    /must be a smaller schema/,
  ],
  ['a key of a megabyte', `${'k'.repeat(1_000)}: 1`, /"k{60}" is not a field of a DAG$/],
  [
    'a name of a megabyte',
    `name: ${'k'.repeat(1_000_000)}`,
    /name must have at most 40 characters, has 1000000: "k{60}"$/,
  ],
]

describe('a hostile file', () => {
  it.each(tooMuch)(
    'with %s is refused in time',
    (_, text, fault) => {
      const faults = faultsOf(text)
      expect(faults.filter((one) => fault.test(one))).not.toEqual([])
      expect(faults.length).toBeLessThanOrEqual(101)
    },
    timeout,
  )

  it.each([
    ['wrong keys', repeat(30_000, (index) => `k${index}: 1\n`)],
    ['wrong steps', `steps:\n${repeat(10_000, () => '- {nmae: a, comand: b}\n')}`],
    [
      'unknown dependencies',
      `type: graph\nsteps:\n${repeat(4_000, (index) => `- {command: a, depends: x${index}}\n`)}`,
    ],
    ['errors of syntax', repeat(40_000, () => 'a: b: c\n')],
    ['passwords in JSON that is nested deeply', `registryAuths: '${'{"a":'.repeat(100_000)}'`],
  ])(
    'with thousands of %s gets a hundred faults',
    (_, text) => {
      expect(faultsOf(text).length).toBeGreaterThan(0)
      expect(faultsOf(text).length).toBeLessThanOrEqual(101)
    },
    timeout,
  )

  it(
    'with thousands of slow patterns is read in time, without checking the last ones',
    () => {
      const conditions = repeat(
        4_000,
        (index) => `  - {condition: a, expected: "re:(((a?){10}){10}){4}${index}"}\n`,
      )
      expect(faultsOf(`preconditions:\n${conditions}`)).toEqual([])
    },
    timeout,
  )

  it(
    'whose steps all depend on each other is read in time',
    () => {
      const steps = repeat(
        5_000,
        (index) => `- {name: s${index}, command: a, depends: s${(index + 1) % 5_000}}\n`,
      )
      const [fault] = faultsOf(`type: graph\nsteps:\n${steps}`)
      expect(fault).toMatch(/s0 → s1 → s2 .*… → s0$/)
    },
    timeout,
  )

  it(
    'may be large within the bounds',
    () => {
      const steps = repeat(
        5_000,
        (index) => `- name: step ${index}\n  command: echo ${index}\n  env: {A: b}\n`,
      )
      expect(faultsOf(`steps:\n${steps}`)).toEqual([])
    },
    timeout,
  )

  it('may be nested as deeply as a DAG can need', () => {
    const config = '{a: '.repeat(20)
    expect(
      faultsOf(`steps: [{type: docker, config: {image: a, host: {x: ${config}1${'}'.repeat(20)}}}}]`),
    ).toEqual([])
  })
})
