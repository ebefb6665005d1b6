import { describe, expect, test } from 'vitest'
import { readDotenv } from '#lib/runner/inputs/dotenv-text.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

describe('a dotenv file', () => {
  test.each([
    ['A=plain', 'plain'],
    ['export A=x', 'x'],
    ['A: yaml style', 'yaml style'],
    ['  A = spaced  ', 'spaced'],
    ['A=x # remark', 'x'],
    ['A=a#b', 'a#b'],
    ['A= # remark', ''],
    ['A="hash # inside" # remark', 'hash # inside'],
    ['A="line\\nbreak \\"q\\" \\$B"', 'line\nbreak "q" $B'],
    ["A='single $B \\n'", 'single $B \\n'],
    ['A="two\nlines"', 'two\nlines'],
    ["A='two\r\nlines'", 'two\nlines'],
    ['A=`echo x`', '`echo x`'],
    ['A="never closed', '"never closed'],
    ['\uFEFFA=after a mark', 'after a mark'],
    ['A=', ''],
  ])('%j sets %j', (text, value) => {
    expect(readDotenv(text).get('A')).toBe(value)
  })

  test('may refer to its own earlier variables, and other names stay as written', () => {
    const text = 'A=x\nB=${A}/y\nC="$B $A."\nD=\'${A}\'\nE=pa$$word$1 ${LATER}\nLATER=z\n'
    expect(Object.fromEntries(readDotenv(text))).toEqual({
      A: 'x',
      B: 'x/y',
      C: 'x/y x.',
      D: '${A}',
      E: 'pa$$word$1 ${LATER}',
      LATER: 'z',
    })
  })

  test('may have lines of another form, which are skipped', () => {
    expect([...readDotenv('# remark\n\nno sign\n-x=1\nA=1\n').keys()]).toEqual(['A'])
  })

  test('that opens quotes in each line is read in linear time', () => {
    const lines = (count: number): string => `A="x\nB='y\nC=" # '\n`.repeat(count)
    readDotenv(lines(1_000))
    const spent = cpuTime()
    readDotenv(`${lines(30_000)}${'Z="\\n'.repeat(30_000)}`)
    expect(spent()).toBeLessThan(2_000)
  })
})
