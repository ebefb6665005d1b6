import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'

const keys = [
  ...'name group description type schedule skipIfSuccessful params env dotenv secrets shell workingDir steps'.split(
    ' ',
  ),
  ...'handlerOn preconditions precondition maxActiveRuns delaySec logOutput maxOutputSize tags smtp mailOn'.split(
    ' ',
  ),
  ...'errorMail container registryAuths ssh runConfig workerSelector id command script depends config'.split(
    ' ',
  ),
  ...'executor call parallel output stdout stderr continueOn retryPolicy repeatPolicy signalOnStop'.split(
    ' ',
  ),
  ...'timeoutSec mailOnError limit intervalSec exitCode backoff repeat condition expected negate failure'.split(
    ' ',
  ),
  ...'skipped items maxConcurrent key omit schema values start stop restart init success cancel abort exit'.split(
    ' ',
  ),
  ...'provider options username password auth host port image exec ports volumes pull headers body to from'.split(
    ' ',
  ),
  ...'containerName network binds exposedPorts __proto__ constructor prototype toString << nonsense'.split(
    ' ',
  ),
]

const texts = [
  '',
  ' ',
  ...'a b A=1 $X ${X.y} re:^a$ re:( chain graph while until docker http mail ssh jq dag shell chat SIGTERM'.split(
    ' ',
  ),
  ...'8080:80 {"a":1} [1 env file always onExit'.split(' '),
  'K="v w"',
  'GET http://x',
  '* * * * *',
  'line\nline',
  'x'.repeat(50),
]

const leaf = fc.oneof(
  fc.constantFrom<unknown>(...texts),
  fc.integer({ min: -2, max: 9 }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
)

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom(...keys), tie('tree')), { maxLength: 6 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}))

const field = (names: readonly string[]): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .array(fc.tuple(fc.constantFrom(...names), tree), { maxLength: 8 })
    .map((entries) => Object.fromEntries(entries))

const step = field(
  keys.slice(keys.indexOf('id')).concat('name', 'type', 'shell', 'env', 'params', 'container'),
)
const dag = fc
  .tuple(
    field(keys.slice(0, 42)),
    fc.array(fc.oneof(step, leaf, fc.array(step, { maxLength: 3 })), { maxLength: 5 }),
  )
  .map(([fields, steps]) => Object.assign({ steps }, fields))

function check(text: string, base?: string): void {
  const reading = readSpec(text, base === undefined ? { fileName: 'file' } : { fileName: 'file', base })
  for (const problem of reading.problems) {
    expect(formatProblem(problem)).not.toContain('undefined')
    if (problem.line !== undefined) expect(problem.line).toBeGreaterThan(0)
  }
  for (const definition of [reading.dag, ...reading.localDags]) {
    const names = new Set(definition.steps.map(({ name }) => name))
    expect(typeof definition.name).toBe('string')
    if (reading.problems.length > 0) continue
    expect(names.size).toBe(definition.steps.length)
    for (const { dependsOn } of definition.steps) for (const name of dependsOn) expect(names).toContain(name)
  }
}

describe('readSpec', () => {
  it('never throws on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => check(text)),
      { numRuns: 300 },
    )
  })

  it('never throws on pieces of YAML in any order', () => {
    const blanks = ['\n', '  ', '\t', '\r\n', '\u{FEFF}', '---\n', '...\n', '%YAML 1.1\n', '|\n']
    const marks = [
      '[',
      ']',
      '{',
      '}',
      ',',
      '#',
      "'",
      '"',
      '- ',
      ': ',
      '? ',
      '&a ',
      '*a',
      '<<: ',
      '!!str ',
      '!x ',
    ]
    const piece = fc.constantFrom(...blanks, ...marks, 'steps:', 'name', 'command', 'a', '1', 'null')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => check(pieces.join(''))),
      { numRuns: 1_000 },
    )
  })

  it('never throws on values of any kind in known fields', () => {
    fc.assert(
      fc.property(fc.oneof(tree, dag), (value) => check(JSON.stringify(value) ?? '')),
      { numRuns: 1_500 },
    )
  })

  it('never throws on several documents over any base configuration', () => {
    fc.assert(
      fc.property(dag, dag, dag, (base, first, second) =>
        check(`${JSON.stringify(first)}\n---\n${JSON.stringify(second)}`, JSON.stringify(base)),
      ),
      { numRuns: 300 },
    )
  })

  it('pollutes no prototype through keys such as __proto__', () => {
    const text =
      '{"__proto__": {"polluted": 1}, "env": {"__proto__": "a", "constructor": "b"}, "steps": {"__proto__": "x"}}'
    const { dag, problems } = readSpec(text, { fileName: 'file' })
    expect(problems.map(formatProblem)).toEqual([
      expect.stringContaining('"__proto__" is not a field of a DAG'),
    ])
    expect(dag.env).toEqual([
      { name: '__proto__', value: 'a' },
      { name: 'constructor', value: 'b' },
    ])
    expect(dag.steps.map(({ name }) => name)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})
