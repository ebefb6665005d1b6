import { describe, expect, it } from 'vitest'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'
import { dagOf, faultsOf, stepOf } from './spec-reading.ts'

const warningsOf = (text: string, base?: string): string[] =>
  readSpec(text, { fileName: 'file', ...(base !== undefined && { base }) }).warnings.map(formatProblem)

describe('values of fixed choices', () => {
  it('match in any case', () => {
    expect(stepOf('continueOn: SKIPPED\nlogOutput: Merged\nsignalOnStop: sigint')).toMatchObject({
      continueOn: { skipped: true },
      logOutput: 'merged',
      signalOnStop: 'SIGINT',
    })
    expect(stepOf('repeatPolicy: {repeat: UNTIL, condition: a, expected: b}').repeatPolicy?.mode).toBe(
      'until',
    )
    expect(
      dagOf('type: Graph\nlogOutput: MERGED\nsteps: [{name: s, command: a, executor: {type: SHELL}}]'),
    ).toMatchObject({
      type: 'graph',
      logOutput: 'merged',
    })
  })

  it('are reported as written when they are wrong', () => {
    expect(faultsOf('logOutput: MERGE')).toEqual([
      'line 1, column 12: logOutput must be separate or merged, is "MERGE"',
    ])
  })
})

describe('a field that is accepted without being used', () => {
  it.each([
    [
      'otel: {enabled: true}',
      'line 1, column 7: otel is not used: traces follow OTEL_EXPORTER_OTLP_ENDPOINT of the service',
    ],
    [
      'secrets: [{name: A, provider: env, key: x, options: {a: 1}}]',
      'line 1, column 53: secrets[0].options is not used: env and file have no options',
    ],
    [
      'steps: [{name: s, type: http, config: {header: {}}, command: GET http://x}]',
      'line 1, column 40: step "s": config: not used: "header" is not a field of the config of an http step, ' +
        'did you mean headers?',
    ],
    [
      'steps: [{name: s, type: shell, config: {x: 1}, command: a}]',
      'line 1, column 41: step "s": config: not used: "x" is not a field of ' +
        'the config of a step that runs a command or a DAG: it has none',
    ],
    [
      'smtp: {port: 25}',
      'line 1, column 7: smtp needs host, which neither the file nor the base configuration gives',
    ],
  ])('gives a warning with its position: %s', (text, warning) => {
    expect(faultsOf(text)).toEqual([])
    expect(warningsOf(text)).toEqual([warning])
  })

  it('gives no warning when the base configuration completes it', () => {
    expect(warningsOf('smtp: {username: u}', 'smtp: {host: h}')).toEqual([])
  })

  it('may be a retry policy of the whole DAG that never retries', () => {
    expect(faultsOf('retryPolicy: {limit: 0}')).toEqual([])
    expect(faultsOf('retryPolicy: {limit: 0, intervalSec: 1}')).toEqual([])
    expect(faultsOf('retryPolicy: {limit: 2, intervalSec: 1}')).toEqual([
      'line 1, column 14: retryPolicy must have limit 0: a run is not retried as a whole, give the policy to its steps',
    ])
  })
})

describe('texts', () => {
  it('normalise unquoted booleans', () => {
    expect(dagOf('env: {A: True, B: "True", C: FALSE}\nparams: {D: TRUE}')).toMatchObject({
      env: [
        { name: 'A', value: 'true' },
        { name: 'B', value: 'True' },
        { name: 'C', value: 'false' },
      ],
      params: [{ name: 'D', value: 'true' }],
    })
  })

  it('of mail addresses are split at line breaks', () => {
    expect(dagOf('errorMail:\n  to: |\n    a@b\n    c@d, e@f\n').errorMail?.to).toEqual(['a@b', 'c@d', 'e@f'])
  })

  it('may name one file for both streams', () => {
    expect(stepOf('stdout: x\nstderr: x')).toMatchObject({ stdout: 'x', stderr: 'x' })
  })
})

describe('a retry policy', () => {
  it('takes fractions of seconds, and variables', () => {
    expect(stepOf('retryPolicy: {limit: "${N}", intervalSec: 0.5}').retryPolicy).toMatchObject({
      limit: 0,
      intervalSec: 0.5,
      written: { limit: '${N}' },
    })
    expect(stepOf('retryPolicy: {limit: 2, intervalSec: $WAIT}').retryPolicy).toMatchObject({
      limit: 2,
      intervalSec: 0,
      written: { intervalSec: '$WAIT' },
    })
  })
})

describe('attachments', () => {
  const mail = (fields: string): string =>
    `steps: [{name: s, type: mail, config: {to: a@b, attachments: ["${fields}"]}, workingDir: /srv/reports}]`

  it.each(['report.csv', 'out/../report.csv', '/srv/reports/a.csv', '${HOME}/x', '~/x'])(
    'are accepted: %s',
    (file) => {
      expect(faultsOf(mail(file))).toEqual([])
      expect(warningsOf(mail(file))).toEqual([])
    },
  )

  it.each([
    ['../x', 'must lie within the working directory, is "../x"'],
    ['a/../../x', 'must lie within the working directory, is "a/../../x"'],
    ['/etc/passwd', 'must lie within the working directory /srv/reports, is "/etc/passwd"'],
    ['/srv/reports/../x', 'must lie within the working directory /srv/reports, is "/srv/reports/../x"'],
    ['/srv/reports-old/x', 'must lie within the working directory /srv/reports, is "/srv/reports-old/x"'],
  ])('that lie elsewhere are refused when the file is read: %s', (file, fault) => {
    expect(faultsOf(mail(file))).toEqual([`line 1, column 63: step "s": config.attachments[0] ${fault}`])
  })
})

describe('a file in the newer format', () => {
  it('may give its params types, which become a schema', () => {
    const dag = dagOf(
      'params:\n  - {name: SIZE, type: int, default: 3, minimum: 1, description: how many}\n' +
        '  - {name: KIND, choices: [a, b], required: true}\n  - PLAIN=x\n  - {name: NOTE, type: string}\n',
    )
    expect(dag.params).toEqual([
      { name: 'SIZE', value: '3' },
      { name: 'PLAIN', value: 'x' },
    ])
    expect(dag.paramsSchema).toEqual({
      type: 'object',
      properties: {
        SIZE: { type: 'integer', minimum: 1, description: 'how many' },
        KIND: { enum: ['a', 'b'] },
        NOTE: { type: 'string' },
      },
      required: ['KIND'],
    })
  })

  it('must give params defaults that fit their types', () => {
    expect(faultsOf('params: [{name: SIZE, type: integer, default: many}]')).toEqual([
      'line 1, column 9: params must satisfy the schema: param SIZE: must be an integer, is "many"',
    ])
    expect(faultsOf('params: [{name: SIZE, type: colour}]')).toEqual([
      expect.stringContaining('params must be a JSON Schema: schema.properties.SIZE.type'),
    ])
  })

  it('may still have a param called name', () => {
    expect(dagOf('params: [{name: Ada}, {name: x, other: y}]').params).toEqual([
      { name: 'name', value: 'Ada' },
      { name: 'name', value: 'x' },
      { name: 'other', value: 'y' },
    ])
  })

  it('must not give a command as run, and the message shows the correct line', () => {
    expect(faultsOf('steps: [{name: s, run: echo "hi" there}]')).toEqual([
      'line 1, column 24: step "s": run must name a DAG, is "echo \\"hi\\" there"; ' +
        'for a command write command: echo "hi" there',
    ])
    expect(
      faultsOf(
        'steps: [{name: s, run: "${WHICH} DAG"}, {name: t, call: "${WHICH:-a b}"}, {name: u, run: sub/dag.yaml}]',
      ),
    ).toHaveLength(1)
  })
})
