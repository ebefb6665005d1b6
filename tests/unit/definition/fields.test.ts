import { describe, expect, it } from 'vitest'
import { dagOf, faultsOf, stepFaults, stepOf } from './spec-reading.ts'

const withoutPosition = (fault: string): string => fault.replace(/^line \d+, column \d+: /, '')
const dagFaults = (text: string): string[] => faultsOf(text).map(withoutPosition)

describe('defaults', () => {
  it('are given to a DAG without fields', () => {
    expect(dagOf('')).toEqual({
      name: 'file',
      group: '',
      description: '',
      type: 'chain',
      schedule: { start: [], stop: [], restart: [] },
      skipIfSuccessful: false,
      catchUp: { policy: 'none', windowSec: 86_400 },
      overlapPolicy: 'skip',
      params: [],
      paramsSchema: undefined,
      env: [],
      dotenv: [],
      secrets: [],
      shell: undefined,
      workingDir: undefined,
      steps: [],
      handlers: {},
      preconditions: [],
      maxActiveRuns: 1,
      maxActiveSteps: 0,
      delaySec: 0,
      timeoutSec: 0,
      restartWaitSec: 0,
      maxCleanUpTimeSec: 5,
      histRetentionDays: 30,
      histRetentionRuns: undefined,
      maxOutputSize: 1_048_576,
      logDir: undefined,
      logOutput: 'separate',
      queue: undefined,
      tags: [],
      workerSelector: {},
      smtp: undefined,
      mailOn: { failure: false, success: false },
      errorMail: undefined,
      infoMail: undefined,
      container: undefined,
      registryAuths: {},
      ssh: undefined,
      runConfig: { disableParamEdit: false, disableRunIdEdit: false },
    })
  })

  it('are given to a step that has only a command', () => {
    expect(stepOf('')).toEqual({
      name: 's',
      id: undefined,
      description: '',
      dependsOn: [],
      executor: { type: 'shell', config: {} },
      commands: ['true'],
      script: undefined,
      shell: undefined,
      workingDir: undefined,
      env: [],
      preconditions: [],
      continueOn: { failure: false, skipped: false, exitCodes: [], output: [], markSuccess: false },
      retryPolicy: undefined,
      repeatPolicy: undefined,
      output: undefined,
      stdout: undefined,
      stderr: undefined,
      logOutput: undefined,
      signalOnStop: 'SIGTERM',
      timeoutSec: 0,
      mailOnError: false,
      child: undefined,
      workerSelector: {},
    })
  })
})

describe('a DAG with all plain fields', () => {
  it('has the given values', () => {
    const text = `name: the.dag_1-x
group: g
description: d
type: graph
skipIfSuccessful: true
catchup: last
catchupWindow: 1d12h
overlapPolicy: latest
shell: bash -o 'pipe fail'
workingDir: /w
maxActiveRuns: 4
maxActiveSteps: 5
delaySec: 6
timeoutSec: 7
restartWaitSec: 8
maxCleanUpTimeSec: 0
histRetentionDays: 0
histRetentionRuns: 20
maxOutputSize: 100
logDir: /l
logOutput: merged
queue: q
tags: [One, two , ONE, 3]
workerSelector: {gpu: true, size: 2, region: eu}
mailOn: {failure: true, success: true}
runConfig: {disableParamEdit: true, disableRunIdEdit: true}
dotenv: [a.env, b.env]
`
    expect(dagOf(text)).toMatchObject({
      name: 'the.dag_1-x',
      group: 'g',
      description: 'd',
      type: 'graph',
      skipIfSuccessful: true,
      catchUp: { policy: 'last', windowSec: 129_600 },
      overlapPolicy: 'latest',
      shell: ['bash', '-o', 'pipe fail'],
      workingDir: '/w',
      maxActiveRuns: 4,
      maxActiveSteps: 5,
      delaySec: 6,
      timeoutSec: 7,
      restartWaitSec: 8,
      maxCleanUpTimeSec: 0,
      histRetentionDays: 0,
      histRetentionRuns: 20,
      maxOutputSize: 100,
      logDir: '/l',
      logOutput: 'merged',
      queue: 'q',
      tags: ['one', 'two', '3'],
      workerSelector: { gpu: 'true', size: '2', region: 'eu' },
      mailOn: { failure: true, success: true },
      runConfig: { disableParamEdit: true, disableRunIdEdit: true },
      dotenv: ['a.env', 'b.env'],
    })
  })

  it.each<[string, object]>([
    ['maxActiveRuns: -1', { maxActiveRuns: 1 }],
    ['maxActiveRuns: 0', { maxActiveRuns: 1 }],
    ['histRetentionDays: -1', { histRetentionDays: -1 }],
    ['catchup: true', { catchUp: { policy: 'all', windowSec: 86_400 } }],
    ['catchup: false', { catchUp: { policy: 'none', windowSec: 86_400 } }],
    ['catchup_window: 90m', { catchUp: { policy: 'all', windowSec: 5_400 } }],
    ['{catchup: none, catchupWindow: 30s}', { catchUp: { policy: 'none', windowSec: 30 } }],
    ['catchupWindow: 45', { catchUp: { policy: 'all', windowSec: 45 } }],
    ['maxOutputSize: 0', { maxOutputSize: 1_048_576 }],
    ['maxOutputSize: 99999999', { maxOutputSize: 16_777_216 }],
    ['tags: "a, B,, a "', { tags: ['a', 'b'] }],
    ['dotenv: x.env', { dotenv: ['x.env'] }],
    ['dotenv: ""', { dotenv: [] }],
    ['queue: " "', { queue: undefined }],
    ['shell: [bash, -e]', { shell: ['bash', '-e'] }],
    ['shell: ""', { shell: undefined }],
    ['shell: []', { shell: undefined }],
    ['shell: "sh \\"-c d\\" it\'s"', { shell: ['sh', '-c d', "it's"] }],
  ])('reads %j', (text, fields) => {
    expect(dagOf(text)).toMatchObject(fields)
  })

  it.each([
    ['name: a b', 'name must be letters, digits, -, _ and dots, is "a b"'],
    ['name: ..', 'name must not be "..", because no API path can contain it'],
    ['name: ""', 'name must be letters, digits, -, _ and dots, is ""'],
    [`name: ${'a'.repeat(41)}`, `name must have at most 40 characters, has 41: "${'a'.repeat(41)}"`],
  ])('is refused with %j', (text, fault) => {
    expect(dagFaults(text)).toEqual([fault])
  })
})

describe('schedules', () => {
  const entry = (expression: string, zone?: string): object => ({ expression, zone })

  it.each<[string, object]>([
    ['schedule: "0 4 * * *"', { start: [entry('0 4 * * *')], stop: [], restart: [] }],
    [
      'schedule: ["0 4 * * *", "CRON_TZ=Asia/Tokyo 5 4 * * 1"]',
      { start: [entry('0 4 * * *'), entry('5 4 * * 1', 'Asia/Tokyo')], stop: [], restart: [] },
    ],
    [
      'schedule: {start: "0 1 * * *", stop: ["0 2 * * *", "0 3 * * *"], restart: "0 4 * * *"}',
      {
        start: [entry('0 1 * * *')],
        stop: [entry('0 2 * * *'), entry('0 3 * * *')],
        restart: [entry('0 4 * * *')],
      },
    ],
    ['schedule: ""', { start: [], stop: [], restart: [] }],
    ['schedule: {stop: "0 2 * * *"}', { start: [], stop: [entry('0 2 * * *')], restart: [] }],
  ])('are read from %j', (text, schedule) => {
    expect(dagOf(text).schedule).toEqual(schedule)
  })

  it('are reported with their position when they are wrong', () => {
    expect(faultsOf('schedule:\n  start: "@daily"\n  stop: ["0 1 * * *", "61 * * * *"]\n')).toEqual([
      'line 2, column 10: schedule.start must be a schedule of five fields: @daily is not offered, write "0 0 * * *"',
      'line 3, column 23: schedule.stop[1] must be a schedule of five fields: minute: "61" is not ' +
        'a number from 0 to 59',
    ])
  })
})

describe('params', () => {
  const params = (text: string): string[] =>
    dagOf(text).params.map(({ name, value }) => (name === undefined ? value : `${name}=${value}`))

  it.each([
    ['params: red 12 SIZE=large', ['red', '12', 'SIZE=large']],
    ['params: \'p1 K="a b"\'', ['p1', 'K=a b']],
    ['params: \'{"A": 1, "B": "x y"}\'', ['A=1', 'B=x y']],
    ['params: [A=1, two, {B: 2, C: 1.50}, 5]', ['A=1', 'two', 'B=2', 'C=1.50', '5']],
    [
      'params: {Z: 8080, A: true, M: "x y", N: , L: [1, "a"], O: {k: 1.0}}',
      ['Z=8080', 'A=true', 'M=x y', 'N=', 'L=[1,"a"]', 'O={"k":1.0}'],
    ],
    ['params:\n- MADE: "`echo built`"\n', ['MADE=`echo built`']],
    ['params: ""', []],
    ['params: []', []],
    ['params: {schema: public, table: t}', ['schema=public', 'table=t']],
  ])('are read from %j', (text, expected) => {
    expect(params(text)).toEqual(expected)
  })

  it('may have a schema that is written in the file', () => {
    const text =
      'params:\n  schema: {type: object, properties: {n: {type: integer, minimum: 1, default: 3}, ' +
      's: {type: string}}, required: [s, r]}\n  values: {n: 5}\n'
    const dag = dagOf(text)
    expect(dag.params).toEqual([{ name: 'n', value: '5' }])
    expect(dag.paramsSchema).toMatchObject({ required: ['s', 'r'], properties: { n: { default: 3 } } })
    expect(dagOf('params: {schema: {}}')).toMatchObject({ params: [], paramsSchema: {} })
  })

  it.each([
    [
      'params: {schema: ./a.json, values: {}}',
      'params.schema must be a JSON Schema written here as a map; files and addresses of schemas are not offered',
    ],
    [
      'params: {schema: {type: list}}',
      'params.schema must be a JSON Schema: the schema of params must have type object',
    ],
    [
      'params: {schema: {properties: {a: {maximum: x}}}}',
      'params.schema must be a JSON Schema: schema.properties.a.maximum: must be a number',
    ],
    [
      'params: {schema: {properties: {n: {type: integer}}}, values: {n: x}}',
      'params.values must satisfy the schema: param n: must be an integer, is "x"',
    ],
    ['params: [{"a b": 1}]', 'params[0].a b must have a name without blanks and equals signs, has "a b"'],
    ['params: [[a]]', 'params[0] must be a value, or a map of names and values, is a list ["a"]'],
    ['params: 5', 'params must be a text, a list, or a map of names and values, is 5'],
  ])('are refused: %j', (text, fault) => {
    expect(dagFaults(text)).toEqual([fault])
  })
})

describe('env', () => {
  it.each([
    ['env: {A: 1.50, B: true, C: , D: "x y"}', ['A=1.50', 'B=true', 'C=', 'D=x y']],
    ['env: [{A: a, B: b}, C=c=d, {D: $A}, "E="]', ['A=a', 'B=b', 'C=c=d', 'D=$A', 'E=']],
    ['env: []', []],
  ])('are read from %j', (text, expected) => {
    expect(dagOf(text).env.map(({ name, value }) => `${name}=${value}`)).toEqual(expected)
    expect(stepOf(text).env).toEqual(dagOf(text).env)
  })

  it.each([
    ['env: [A]', 'env[0] must be NAME=value, is "A"'],
    ['env: ["=a"]', 'env[0] must be NAME=value, is "=a"'],
    ['env: {"A B": c}', 'env.A B must have a name without blanks and equals signs, has "A B"'],
    ['env: [{"": c}]', 'env[0]. must have a name without blanks and equals signs, has ""'],
  ])('is refused: %j', (text, fault) => {
    expect(dagFaults(text)).toEqual([fault])
  })
})

describe('secrets', () => {
  it('come from the environment or from files', () => {
    const text =
      'secrets: [{name: A, provider: env, key: X}, {name: B, provider: file, key: /run/b, options: {}}]'
    expect(dagOf(text).secrets).toEqual([
      { name: 'A', provider: 'env', key: 'X' },
      { name: 'B', provider: 'file', key: '/run/b' },
    ])
  })

  it.each([
    [
      '{name: A, provider: vault, key: x}',
      'secrets[0].provider must be env or file (other providers are not offered), is "vault"',
    ],
    ['{name: a-b, provider: env, key: x}', 'secrets[0].name must be the name of a variable'],
    ['{name: A, provider: env, key: " "}', 'secrets[0].key must not be empty'],
    ['{name: A, provider: env}', 'secrets[0] needs key'],
  ])('are refused: %s', (secret, fault) => {
    expect(dagFaults(`secrets: [${secret}]`)).toEqual([fault])
  })
})

describe('mail', () => {
  it('has a server and templates', () => {
    const text =
      'smtp: {host: h, port: 25, username: u, password: $P}\nerrorMail: {from: a@b, to: c@d, ' +
      'prefix: "[E]", attachLogs: true}\ninfoMail: {to: [e@f, " g@h "]}\n'
    expect(dagOf(text)).toMatchObject({
      smtp: { host: 'h', port: '25', username: 'u', password: '$P' },
      errorMail: { from: 'a@b', to: ['c@d'], prefix: '[E]', attachLogs: true },
      infoMail: { from: '', to: ['e@f', 'g@h'], prefix: '', attachLogs: false },
    })
  })

  it.each([
    ['errorMail: {to: "a@b\\nBcc: c@d"}', 'errorMail.to must be addresses, is "Bcc: c@d"'],
    ['errorMail: {from: "a@b\\r\\nBcc: c@d"}', 'errorMail.from must be one line'],
    ['infoMail: {prefix: "a\\nb"}', 'infoMail.prefix must be one line'],
  ])('is refused: %j', (text, fault) => {
    expect(dagFaults(text)).toEqual([fault])
  })
})

describe('passwords of registries', () => {
  const auth = { username: 'u', password: 'p:w' }

  it.each([
    ['{ghcr.io: {username: u, password: "p:w"}}', { 'ghcr.io': auth }],
    [`{ghcr.io: '{"username": "u", "password": "p:w"}'}`, { 'ghcr.io': auth }],
    [`{ghcr.io: {auth: ${btoa('u:p:w')}}}`, { 'ghcr.io': auth }],
    [`'{"ghcr.io": {"username": "u", "password": "p:w"}}'`, { 'ghcr.io': auth }],
    [`'{"auths": {"ghcr.io": {"auth": "${btoa('u:p:w')}"}}}'`, { 'ghcr.io': auth }],
    ['{a: {username: $U, password: "${P}"}}', { a: { username: '$U', password: '${P}' } }],
    ['{a: {auth: $AUTH}, b: "${JSON}"}', { a: { auth: '$AUTH' }, b: '${JSON}' }],
    ['"${AUTHS}"', { '': '${AUTHS}' }],
  ])('are read from %s', (text, auths) => {
    expect(dagOf(`registryAuths: ${text}`).registryAuths).toEqual(auths)
  })

  it.each([
    ["'[1]'", /must be a map from registries/],
    ['\'{"a": 1}\'', /must be a map of username and password/],
    ['{a: "x"}', /registryAuths.a must be a map from registries/],
    ['{a: {auth: "%%%"}}', /must have username and password, or both in auth/],
    ['{a: [1]}', /registryAuths.a must be a map of username and password, is a list/],
  ])('are refused: %s', (text, fault) => {
    expect(dagFaults(`registryAuths: ${text}`)).toEqual([expect.stringMatching(fault)])
  })
})

describe('handlers', () => {
  it('are steps under fixed names', () => {
    const { handlers } = dagOf(
      'handlerOn:\n  init: {command: a}\n  success: {command: b, name: mine}\n  failure: {script: ' +
        'c}\n  cancel: {call: d}\n  exit: {command: e, depends: x, retryPolicy: {limit: 1, ' +
        'intervalSec: 1}}\n',
    )
    const named = Object.entries(handlers).map(([kind, step]) => [kind, step.name, step.dependsOn])
    expect(named).toEqual([
      ['init', 'onInit', []],
      ['success', 'onSuccess', []],
      ['failure', 'onFailure', []],
      ['cancel', 'onCancel', []],
      ['exit', 'onExit', []],
    ])
    expect(handlers).toMatchObject({
      failure: { script: 'c' },
      cancel: { child: { dag: 'd' } },
      exit: { retryPolicy: { limit: 1 } },
    })
  })

  it('of a cancellation may be called abort', () => {
    expect(dagOf('handlerOn: {abort: {command: a}}').handlers.cancel).toMatchObject({
      name: 'onCancel',
      commands: ['a'],
    })
    expect(dagFaults('handlerOn: {abort: {command: a}, cancel: {command: b}}')).toEqual([
      'handlerOn.abort must not be combined with cancel: they are the same handler',
    ])
  })

  it('are reported like steps when they are wrong', () => {
    expect(faultsOf('handlerOn:\n  exit: {}\n  init: {command: a, depend: b}\n')).toEqual([
      'line 2, column 9: handlerOn.exit has nothing to do: give it a command, a script, or a DAG to call',
      'line 3, column 22: handlerOn.init: "depend" is not a field of a step, did you mean depends?',
    ])
  })
})

describe('preconditions', () => {
  const one = (condition: string, expected?: string, negate = false): object => ({
    condition,
    expected,
    negate,
  })

  it.each<[string, object[]]>([
    ['preconditions: test -f x', [one('test -f x')]],
    ['precondition: {condition: $A, expected: "re:^b", negate: true}', [one('$A', 're:^b', true)]],
    [
      'preconditions: [test 1, {command: test 2}, {condition: "`c`", expected: "3"}]',
      [one('test 1'), one('test 2'), one('`c`', '3')],
    ],
    ['precondition: a\npreconditions: [b]', [one('b'), one('a')]],
    ['preconditions: []', []],
  ])('are read from %j', (text, conditions) => {
    expect(dagOf(text).preconditions).toEqual(conditions)
    expect(stepOf(text).preconditions).toEqual(conditions)
  })

  it.each([
    ['preconditions: [{expected: "1"}]', 'preconditions[0] needs condition'],
    [
      'preconditions: {condition: a, expected: 1}',
      'preconditions.expected must be a text (in quotes, if it looks like a number, true or false), is 1',
    ],
    ['preconditions: " "', 'preconditions must be a command, or a text to compare, is empty'],
    [
      'preconditions: [a, null]',
      'preconditions[1] must be a command, or a map of condition and expected, is empty',
    ],
    [
      'preconditions: {condition: a, expected: "re:("}',
      'preconditions.expected must be a text or re: and a pattern: "(" is not a pattern (RE2 syntax): ' +
        'missing closing ): `(`',
    ],
  ])('are refused: %j', (text, fault) => {
    expect(dagFaults(text)).toEqual([fault])
    expect(stepFaults(text)).toEqual([`step "s": ${fault}`])
  })
})
