import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ParamDefault } from '#lib/definition/definition.ts'
import { defaultParamsText, displayParams } from '#lib/definition/params/display-params.ts'
import { mergeParams, positionalValues, resolveParams } from '#lib/definition/params/merge-params.ts'
import { paramsText } from '#lib/definition/params/params-text.ts'
import { readGivenParams, readParamText } from '#lib/definition/params/read-params.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

/** `a` without a name, `A=1` with one: short to write, and values here hold no `=`. */
const list = (params: readonly ParamDefault[]): string[] =>
  params.map(({ name, value }) => (name === undefined ? value : `${name}=${value}`))

describe('readParamText', () => {
  it.each([
    ['', []],
    ['  \n', []],
    ['red 12 SIZE=large', ['red', '12', 'SIZE=large']],
    ['"dark green" 7 SIZE="extra large"', ['dark green', '7', 'SIZE=extra large']],
    ["'it is' MSG='hello world' don't", ['it is', 'MSG=hello world', "don't"]],
    [
      'A="say \\"hi\\"" B="back\\\\" C="C:\\dir\\x" D="\\\\d+"',
      ['A=say "hi"', 'B=back\\', 'C=C:\\dir\\x', 'D=\\\\d+'],
    ],
    ['MADE=`echo built here` `date`', ['MADE=`echo built here`', '`date`']],
    ['EMPTY= "" X=""', ['EMPTY=', '', 'X=']],
    ['https://e.org/?a=b my-key=1 a.b=2 2=two', ['https://e.org/?a=b', 'my-key=1', 'a.b=2', '2=two']],
    ['"x y"z "open', ['"x', 'y"z', '"open']],
    ['A=${B} $C', ['A=${B}', '$C']],
    ['a\nb\tc', ['a', 'b', 'c']],
    ['EXPR="x"', ['EXPR=x']],
    ['DATA={"a":1}', ['DATA={"a":1}']],
  ])('reads %j', (text, params) => {
    expect(list(readParamText(text))).toEqual(params)
  })

  it('keeps an equals sign within a value', () => {
    expect(readParamText('EXPR="x=1;y=2" "a=b"')).toEqual([
      { name: 'EXPR', value: 'x=1;y=2' },
      { name: undefined, value: 'a=b' },
    ])
  })
})

describe('readGivenParams', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['{"COUNT":12,"FLAG":true,"RATE":2.50,"NONE":null}', ['COUNT=12', 'FLAG=true', 'RATE=2.50', 'NONE=']],
    [
      '{"BIG":12345678901234567890,"LIST":[1, "a"],"O":{"k": 1}}',
      ['BIG=12345678901234567890', 'LIST=[1,"a"]', 'O={"k":1}'],
    ],
    ['[1, "two", {"k": 3}, "A=b"]', ['1', 'two', '{"k":3}', 'A=b']],
    [' {"TEXT":"line one\\nline two"} ', ['TEXT=line one\nline two']],
    ['{}', []],
    ['{A=1 B=2}', ['{A=1', 'B=2}']],
    ['[x] A=1', ['[x]', 'A=1']],
    ['"only" text', ['only', 'text']],
    ['{"__proto__":"x","constructor":"y"}', ['__proto__=x', 'constructor=y']],
    ['12', ['12']],
  ])('reads %j', (given, params) => {
    expect(list(readGivenParams(given))).toEqual(params)
  })

  it('reads a text that begins with a brace but is not JSON as values without names', () => {
    expect(readGivenParams('{A=1 B="2 3"').map(({ name }) => name)).toEqual([undefined, undefined, undefined])
  })
})

const merge = (defaults: string, given: string): string =>
  displayParams(mergeParams(readParamText(defaults), readGivenParams(given)))

describe('mergeParams', () => {
  it.each([
    ['red 12 SIZE=large', '', '1=red 2=12 SIZE=large'],
    ['red 12 SIZE=large', 'SIZE=small', '1=red 2=12 SIZE=small'],
    ['red 12 SIZE=large', 'blue 40', '1=blue 2=40 SIZE=large'],
    ['red 12 SIZE=large', 'green', '1=green 2=12 SIZE=large'],
    ['red SIZE=large blue', 'a b', '1=a SIZE=large 3=blue 2=b'],
    ['K=V one J=W two', 'J=x o', 'K=V 2=o J=x 4=two'],
    ['red SIZE=large', 'a b', '1=a SIZE=large 2=b'],
    ['SIZE=large', 'small', 'SIZE=large 1=small'],
    ['BASE=1', 'EXTRA=surprise', 'BASE=1 EXTRA=surprise'],
    ['red 12', '{"2":"two","X":1}', '1=red 2=two X=1'],
    ['red 12', '["a"]', '1=a 2=12'],
    ['A=1 A=2', 'A=3 A=4', 'A=4'],
    ['A=1', '__proto__=x constructor=y', 'A=1 __proto__=x constructor=y'],
  ])('merges %j with %j', (defaults, given, merged) => {
    expect(merge(defaults, given)).toBe(merged)
  })

  it('marks where each value comes from', () => {
    expect(mergeParams(readParamText('a B=1'), readGivenParams('B=1 C=2'))).toEqual([
      { name: '1', value: 'a', origin: 'default' },
      { name: 'B', value: '1', origin: 'given' },
      { name: 'C', value: '2', origin: 'given' },
    ])
  })
})

describe('resolveParams', () => {
  const scope = { variables: new Map([['E', 'env']]), positional: [], steps: new Map() }
  const resolve = async (defaults: string, given: string): Promise<string> =>
    displayParams(
      await resolveParams(
        mergeParams(readParamText(defaults), readGivenParams(given)),
        scope,
        async (command) => `ran ${command}`,
        () => true,
      ),
    )

  it('expands defaults in order, with the environment and the params before', async () => {
    expect(await resolve('P=${E} Q=$P/x R=$S S=1 T=`date`', '')).toBe('P=env Q=env/x R= S=1 T=ran date')
    expect(await resolve('one X=$1 $X-2 Y=$3', 'given')).toBe('1=given X=given 3=given-2 Y=given-2')
  })

  it('expands a ~ at the start of a default, alone or before a slash', async () => {
    const home = (given: string): Promise<string> => resolve('A=~ B=~/x C=~root D=a~/b', given)
    scope.variables.set('HOME', '/home/ada')
    expect(await home('')).toBe('A=/home/ada B=/home/ada/x C=~root D=a~/b')
    expect(await home('A=~/given')).toBe('A=~/given B=/home/ada/x C=~root D=a~/b')
  })

  it('never expands what is given', async () => {
    expect(await resolve('P=a Q=$P', '{"P":"$E `date` $(date)"}')).toBe(
      'P=$E `date` $(date) Q=$E `date` $(date)',
    )
  })
})

describe('positionalValues', () => {
  it('fills missing positions with empty texts', () => {
    expect(positionalValues(mergeParams([], readGivenParams('{"3":"c","1":"a","X":"y"}')))).toEqual([
      'a',
      '',
      'c',
    ])
    expect(positionalValues(mergeParams([], readGivenParams('{"999999999":"far"}')))).toEqual([])
  })
})

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...Array.from('"\'\\` =\n${}[]aA1')) }),
)
const name = fc.option(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/), { nil: undefined })

describe('params as text', () => {
  it('are shown with quotes, and read back', () => {
    const params = readParamText('foo "b ar" NAMED="v"')
    expect(defaultParamsText(params)).toBe('1="foo" 2="b ar" NAMED="v"')
    expect(paramsText(params)).toBe('"foo" "b ar" NAMED="v"')
    expect(merge('foo "b ar" NAMED="v"', defaultParamsText(params))).toBe('1=foo 2=b ar NAMED=v')
  })

  it('are read back exactly, whatever the values hold', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ name, value })), (params) => {
        expect(readParamText(paramsText(params))).toEqual(params)
        expect(readGivenParams(paramsText(params))).toEqual(params)
        const defaults = mergeParams(params, [])
        expect(mergeParams(readParamText(defaultParamsText(params)), [])).toEqual(defaults)
      }),
      { numRuns: 1_000 },
    )
  })

  it('become a JSON object when a name needs it', () => {
    const params = [
      { name: 'my key', value: 'a"b' },
      { name: undefined, value: 'x' },
    ]
    expect(paramsText(params)).toBe('{"my key":"a\\"b","2":"x"}')
    expect(list(readGivenParams(paramsText(params)))).toEqual(['my key=a"b', '2=x'])
  })

  it('are read in time and without throwing, whatever the text', () => {
    fc.assert(fc.property(value, (text) => readGivenParams(text).length >= 0))
    const spent = cpuTime()
    for (const hostile of ['"', "'", '`', '"\\', '\\', 'A="', 'a ', '{"a":', '"a ']) {
      readGivenParams(hostile.repeat(Math.ceil(262_144 / hostile.length)))
    }
    expect(spent()).toBeLessThan(1_000)
  })
})
