import { describe, expect, it } from 'vitest'
import { readDocuments } from '#lib/definition/yaml/documents.ts'
import { plainScalar } from '#lib/definition/yaml/plain-scalar.ts'
import { jsonOf } from '#lib/definition/yaml/spec-node.ts'
import { formatProblem } from '#lib/definition/read-spec.ts'

const json = (text: string): string[] => readDocuments(text).roots.map(jsonOf)
const faults = (text: string): string[] => readDocuments(text).faults.problems().map(formatProblem)

describe('scalars without quotes', () => {
  it.each<[string, unknown]>([
    ['', null],
    ['~', null],
    ['null', null],
    ['Null', null],
    ['NULL', null],
    ['nULL', 'nULL'],
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['false', false],
    ['False', false],
    ['FALSE', false],
    ['yes', 'yes'],
    ['on', 'on'],
    ['off', 'off'],
    ['0', 0],
    ['12', 12],
    ['-3', -3],
    ['+4', 4],
    ['0x1F', 31],
    ['0o17', 15],
    ['007', '007'],
    ['1_000', '1_000'],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['1.', 1],
    ['1e3', 1000],
    ['-1.5E-2', -0.015],
    ['1.2.3', '1.2.3'],
    ['.', '.'],
    ['-', '-'],
    ['.inf', '.inf'],
    ['.nan', '.nan'],
    ['2026-01-02', '2026-01-02'],
    ['1'.repeat(101), '1'.repeat(101)],
  ])('%j means %j', (text, value) => {
    expect(plainScalar(text)).toBe(value)
  })
})

describe('documents', () => {
  it.each([
    ['', []],
    ['# only a comment\n', []],
    ['a: 1', ['{"a":1}']],
    ['a: no\ttab', ['{"a":"notab"}']],
    ['a: "a\ttab"\nb: |-\n  a\ttab', ['{"a":"a\\ttab","b":"a\\ttab"}']],
    ['---\na: 1\n', ['{"a":1}']],
    ['a: 1\n---\nb: 2\n', ['{"a":1}', '{"b":2}']],
    ['a: 1\n---\n# nothing\n---\nb: 2\n---\n', ['{"a":1}', '{"b":2}']],
    ['---\n---\nb: 2\n', ['null', '{"b":2}']],
    ['{"a": [1, 2.50, "x", true, null]}', ['{"a":[1,2.50,"x",true,null]}']],
    ['a: "1"\nb: \'2\'\nc: |\n  3\nd: !!str 4\ne: ! 5\n', ['{"a":"1","b":"2","c":"3\\n","d":"4","e":"5"}']],
    ['a: !!int "7"\nb: !!map {x: 1}\nc: !!seq [1]\nd: !!null ""\n', ['{"a":7,"b":{"x":1},"c":[1],"d":null}']],
    ['a: 0x1F\nb: +1\nc: 12345678901234567890\n', ['{"a":31,"b":1,"c":12345678901234567890}']],
    ['5: a\ntrue: b\n~: c\n', ['{"5":"a","true":"b","~":"c"}']],
    ['%YAML 1.1\n---\na: yes\n', ['{"a":"yes"}']],
    ['\u{FEFF}a: 1', ['{"a":1}']],
    ['a: 1\r\nb: 2\r\n', ['{"a":1,"b":2}']],
  ])('%j is read', (text, documents) => {
    expect(faults(text)).toEqual([])
    expect(json(text)).toEqual(documents)
  })

  it('follows aliases', () => {
    expect(json('a: &x {k: 1}\nb: *x\nc: [*x, &y z, *y]\n')).toEqual([
      '{"a":{"k":1},"b":{"k":1},"c":[{"k":1},"z","z"]}',
    ])
  })

  it('resolves an alias to the last anchor before it', () => {
    expect(json('a: &x 1\nb: *x\nc: &x 2\nd: *x\n')).toEqual(['{"a":1,"b":1,"c":2,"d":2}'])
  })

  it('merges maps, where the own entries of a map win', () => {
    expect(
      json('- &a {x: 1, y: 1}\n- &b {x: 2, z: 2}\n- {<<: *a, y: 9}\n- {<<: [*b, *a]}\n- {"<<": 1}\n'),
    ).toEqual(['[{"x":1,"y":1},{"x":2,"z":2},{"y":9,"x":1},{"x":2,"z":2,"y":1},{"<<":1}]'])
  })

  it.each([
    [
      'steps: [',
      'line 1, column 9: not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    [
      'a: b: c',
      'line 1, column 4: not YAML: a second key on the same line; put the value in quotes, or begin a new line',
    ],
    ['a:\n\tb: 1', 'line 2, column 1: not YAML: a tab cannot indent a line, use blanks'],
    ['a: 1\nb: 2\na: 3\n', 'line 3, column 1: the key "a" is given twice'],
    ['a: *x', 'line 1, column 4: the alias *x has no anchor &x before it'],
    ['a: &x [*x]', 'line 1, column 8: the alias *x has no anchor &x before it'],
    ['a: !thing 1', 'line 1, column 11: tags such as !thing are not offered'],
    ['a: !!binary aGk=', 'line 1, column 13: tags such as !!binary are not offered'],
    ['a: !!set {x}', 'line 1, column 10: tags such as !!set are not offered'],
    ['a: !<tag:x,2000:y> {}', 'line 1, column 20: tags such as tag:x,2000:y are not offered'],
    ['a: !!int x', 'line 1, column 10: the text is not of its type !!int'],
    ['? [a, b]\n: 1', 'line 1, column 3: a key must be a text'],
    ['<<: 1', 'line 1, column 5: what is merged with << must be a map'],
    ['a: "\\0"', 'line 1, column 4: a text must not hold NUL characters'],
    ['a: "\\ud800"', 'line 1, column 4: a text must not hold half of a surrogate pair'],
    ['a: \udc00', 'line 1, column 1: a DAG file must not hold halves of surrogate pairs'],
    [
      'a: "\\q"',
      String.raw`line 1, column 4: "\\q" means nothing in double quotes; write \\ for a backslash`,
    ],
    [
      'a: "\\x4"',
      String.raw`line 1, column 4: "\\x" means nothing in double quotes; write \\ for a backslash`,
    ],
    ['a: b\n\0', 'line 2, column 1: a DAG file must not hold NUL characters'],
  ])('%j is refused', (text, fault) => {
    expect(faults(text)).toEqual([fault])
  })

  it('accepts every escape that YAML has', () => {
    const text = String.raw`a: "\\ \" \/ \0b \a \b \t \n \v \f \r \e \_ \N \L \P \x41 \u00e9 \U0001F331"`
    expect(faults(text.replace(String.raw`\0b`, ''))).toEqual([])
  })

  it('reports a hundred faults, and how many more there are', () => {
    const all = faults(Array.from({ length: 130 }, () => 'a: 1\n').join(''))
    expect(all).toHaveLength(101)
    expect(all.at(-1)).toBe('and 29 more')
  })
})
