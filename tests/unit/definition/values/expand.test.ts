import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '#lib/core/errors.ts'
import { expand, expandInOrder } from '#lib/definition/values/expand.ts'
import type { CommandRunner, Scope, StepReference } from '#lib/definition/values/scope.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

const step: StepReference = {
  stdout: '/logs/w.out',
  stderr: '/logs/w.err',
  exitCode: 3,
  outputs: { WORD: 'tree', DATA: '{"a":{"b":1}}' },
}
const waiting: StepReference = { stdout: '', stderr: '', exitCode: undefined, outputs: {} }

const scope: Scope = {
  variables: new Map([
    ['NAME', 'World'],
    ['EMPTY', ''],
    [
      'DOC',
      '{"a":{"b":[10,{"c":"deep"}]},"big":12345678901234567890,"f":1.50,"e":1e3,"t":true,"n":null,' +
        '"d-k":"dash","x y":"blank"}',
    ],
    ['LIST', '["x",{"k":2}]'],
    ['TEXT', 'no json'],
    ['EVIL', '${NAME} `date` $(date) \\$'],
    ['my-name', 'dashed'],
    ['a.b', 'dotted'],
    ['w', '{"stdout":"mine","more":"yes","outputs":{"OTHER":"json"}}'],
  ]),
  positional: ['one', 'two', '', '', '', '', '', '', '', 'ten', '{"k":"v"}'],
  steps: new Map([
    ['w', step],
    ['w-2', step],
    ['later', waiting],
  ]),
}

const run = async (command: string): Promise<string> => `<${command}>`

const forms = [
  ['$NAME and ${NAME}', 'World and World', 'a name, with and without braces'],
  ['[$NOPE][${NOPE}][$EMPTY]', '[][][]', 'an unknown name is empty'],
  [
    "'$NAME' '${NAME}' '$NOPE'",
    "'$NAME' '${NAME}' '$NOPE'",
    'a name directly within single quotes stays as written',
  ],
  ["'$NAME!' it's $NAME", "'World!' it's World", 'other apostrophes are letters'],
  ["'${DOC.t}' '${w.exit_code}'", "'true' '3'", 'a path is put in within single quotes too'],
  ['$1 ${2} $10 ${10} [$99] ${11.k}', 'one two ten ten [] v', 'positional params'],
  ['$0 $$ $ $( ) 5$ $? $@', '$0 $$ $ $( ) 5$ $? $@', 'other dollar signs are letters'],
  ['${DOC.a.b[1].c} ${DOC.a.b.[0]} ${DOC.a.b[-1].c}', 'deep 10 deep', 'paths'],
  [
    '${DOC.big} ${DOC.f} ${DOC.e} ${DOC.t} [${DOC.n}]',
    '12345678901234567890 1.50 1e3 true []',
    'scalars as written',
  ],
  ['${DOC.a} ${LIST}', '{"b":[10,{"c":"deep"}]} ["x",{"k":2}]', 'objects as compact JSON'],
  ['${DOC.d-k} ${DOC["x y"]} ${DOC[\'x y\']}', 'dash blank blank', 'any key'],
  ['[${DOC.zz}][${DOC.a.b[9]}][${DOC.a.b.c.d}]', '[][][]', 'a missing member is empty'],
  ['${LIST[0]}${LIST[1].k}${LIST[7]}', 'x2', 'positions of an array'],
  ['${TEXT.a} ${NOPE.a}', '${TEXT.a} ${NOPE.a}', 'a path into a text that is not JSON stays as written'],
  [
    '$DOC.t $NAME.txt $DOC.zz $DOC.a.b[0].',
    'true World.txt {0}.zz 10.',
    'a path without braces is followed only to an existing member',
  ],
  ['${w.stdout} ${w.stderr} ${w.exit_code} ${w.exitCode}', '/logs/w.out /logs/w.err 3 3', 'a step'],
  ['${w-2.stdout} $w.exit_code', '/logs/w.out 3', 'a step with a dash, a step without braces'],
  [
    '${w.outputs.WORD} ${w.outputs.DATA.a.b} ${w.more}',
    'tree 1 yes',
    'outputs, then the variable of this name',
  ],
  ['${w.outputs.OTHER}|${w-2.outputs.NONE}|', 'json||', 'an output that is missing'],
  [
    '[${later.exit_code}] ${later.nothing}',
    '[] ${later.nothing}',
    'a step that has not run, and an unknown field of a step',
  ],
  ['${plain.stdout}', '${plain.stdout}', 'a step without an id'],
  ['${NAME:1:3} ${NAME:2} [${NAME:9}] ${w.stdout:1:4} ${DOC.a.b[1].c:0:1}', 'orl rld [] logs d', 'slices'],
  ['${NOPE:-x $NAME} ${EMPTY:-d} [${EMPTY-d}] ${NAME:-d} ${NOPE-d}', 'x World d [] World d', 'defaults'],
  ['${NAME:+yes}${NOPE:+no}${EMPTY:+no}${EMPTY+set}', 'yesset', 'alternatives'],
  ['${DOC.zz:-none} ${NOPE:-${NOPE:-`c`}} ${NOPE:-}|', 'none <c> |', 'nested defaults'],
  ['${NOPE:-${NAME', '${NOPE:-${NAME', 'a default that is never closed'],
  [
    '${NAME ${a b} ${#NAME} ${NAME%x} ${}',
    '${NAME ${a b} ${#NAME} ${NAME%x} ${}',
    'a text that is not a reference stays as written',
  ],
  ['${my-name} ${a.b} ${NOPE-name}', 'dashed dotted name', 'names with dashes and dots'],
  ['$EVIL', '${NAME} `date` $(date) \\$', 'a value is not expanded again'],
  [
    '\\$NAME \\${NAME} \\`c\\` \\\\$NAME \\\\\\$NAME C:\\x \\\\',
    '$NAME ${NAME} `c` \\World \\$NAME C:\\x \\\\',
    'backslashes',
  ],
  ['a `echo 1` b `echo \\`x\\` $NAME`', 'a <echo 1> b <echo `x` $NAME>', 'commands are passed on as written'],
  ['`open', '`open', 'a backtick that is never closed'],
  ['héllo 🌱 $NAME', 'héllo 🌱 World', 'any letters'],
  ['$NAMEé', 'Worldé', 'a name ends where no letter of a name follows'],
]

describe('expand', () => {
  it.each(forms)('%j becomes %j: %s', async (text, expected) => {
    expect(await expand(text, scope, run)).toBe(expected.replace('{0}', scope.variables.get('DOC') ?? ''))
  })

  it('keeps unknown names where the text is in another language', async () => {
    expect(await expand('. as $x | $NAME | ${y}', scope, run, { unknown: 'keep' })).toBe(
      '. as $x | World | ${y}',
    )
  })

  it('runs commands one after the other in the order of the text', async () => {
    const seen: string[] = []
    const text = await expand('`a``b`${NOPE:-`c`}', scope, async (command) => {
      seen.push(command)
      return `${seen.length}`
    })
    expect([text, seen]).toEqual(['123', ['a', 'b', 'c']])
  })

  it('passes on what the runner throws', async () => {
    await expect(expand('`x`', scope, async () => Promise.reject(new Error('no shell')))).rejects.toThrow(
      'no shell',
    )
  })

  it('refuses results longer than a value may be', async () => {
    const big: Scope = { ...scope, variables: new Map([['A', 'x'.repeat(1_000_000)]]) }
    await expect(expand('$A'.repeat(17), big, run)).rejects.toThrow(ServiceError)
    expect(await expand('$A'.repeat(16), big, run)).toHaveLength(16_000_000)
  })
})

const pieces = fc.constantFrom(
  ...Array.from('${}`\\:-+.[]"\'() \n1aé'),
  '${NAME',
  '${DOC.a',
  '$DOC.a.b',
  '${w.',
  ':-',
  '${',
  ':1:2}',
  '[0]',
  '["',
  '"]}',
  '`c`',
  '${NOPE:-',
)

describe('any text', () => {
  it('never throws, and is expanded the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), async (parts) => {
        const text = parts.join('')
        expect(await expand(text, scope, run)).toBe(await expand(text, scope, run))
      }),
      { numRuns: 3_000 },
    )
  })

  it('without a dollar sign or a backtick stays as it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        fc.pre(!/[$`]/.test(text))
        expect(await expand(text, scope, run)).toBe(text)
      }),
    )
  })

  it('with one name holds the value unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (value, around) => {
        fc.pre(!/[$`\\']/.test(around))
        const one: Scope = { ...scope, variables: new Map([['V', value]]) }
        expect(await expand(`${around}\${V}${around}`, one, run)).toBe(around + value + around)
      }),
    )
  })

  it.each([
    ['open defaults', '${A:-'.repeat(200_000)],
    ['closed defaults', '${A:-'.repeat(100_000) + '}'.repeat(100_000)],
    ['braces', '${'.repeat(500_000)],
    ['backticks', '\\`'.repeat(500_000)],
    ['steps of a path', `\${DOC${'.a'.repeat(500_000)}}`],
    ['steps of paths', '${DOC.a.b.c.d.e.f}'.repeat(50_000)],
    ['brackets', '$NAME[0]'.repeat(120_000)],
    ['quoted keys', '${DOC["a'.repeat(100_000)],
  ])('of a megabyte of %s is read within half a second', async (_title, text) => {
    const spent = cpuTime()
    await expand(text, scope, run)
    expect(spent()).toBeLessThan(500)
  })
})

describe('expandInOrder', () => {
  it('lets an entry and its commands refer to earlier entries and to the earlier value of its own name', async () => {
    const entries = [
      { name: 'BASE', value: '/srv' },
      { name: 'CACHE', value: '${BASE}/cache$LATER' },
      { name: 'NAME', value: '$NAME!' },
      { name: 'LATER', value: '`n`' },
    ]
    const seen: (string | undefined)[] = []
    const withScope: CommandRunner = async (command, at) => {
      seen.push(at.variables.get('CACHE'), at.variables.get('LATER'))
      return run(command)
    }
    expect(await expandInOrder(entries, scope, withScope)).toEqual([
      { name: 'BASE', value: '/srv', own: 4 },
      { name: 'CACHE', value: '/srv/cache', own: 10 },
      { name: 'NAME', value: 'World!', own: 6 },
      { name: 'LATER', value: '<n>', own: 0 },
    ])
    expect(scope.variables.get('NAME')).toBe('World')
    expect(seen).toEqual(['/srv/cache', undefined])
  })

  it.each([
    ['~', '/home/me'],
    ['~/data', '/home/me/data'],
    ['~other/data', '~other/data'],
    ['a/~/b', 'a/~/b'],
  ])('expands ~ at the start, as a shell does: %s', async (value, expected) => {
    const variables = new Map([['HOME', '/home/me']])
    const [entry] = await expandInOrder([{ name: 'A', value }], { ...scope, variables }, run)
    expect(entry?.value).toBe(expected)
    const [homeless] = await expandInOrder([{ name: 'A', value }], { ...scope, variables: new Map() }, run)
    expect(homeless?.value).toBe(value)
  })
})
