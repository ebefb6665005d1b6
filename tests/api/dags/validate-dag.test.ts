import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
type Answer = {
  valid: boolean
  errors: string[]
  problems: object[]
  warnings: object[]
  steps: object[]
  dag: { name: string; tags: string[] }
}
const validate = async (body: object) => (await api.post<Answer>('/dags/validate', body)).body

describe('200', () => {
  test('a valid spec is summarised and not stored', async () => {
    const answer = await validate({ spec: 'tags: [probe]\nsteps:\n  - echo a\n', name: 'checked' })
    expect(answer).toMatchObject({ valid: true, errors: [], dag: { name: 'checked', tags: ['probe'] } })
    expect((await api.get('/dags/checked')).status).toBe(404)
  })

  test('faults have their line', async () => {
    const answer = await validate({ spec: 'steps:\n  - name: a\n    command: echo\n    colour: red\n' })
    expect(answer.valid).toBe(false)
    expect(answer.errors.join()).toMatch(/line 4.*colour/)
  })

  test('faults and warnings have line and column', async () => {
    const answer = await validate({
      spec:
        'queue: nowhere\nsteps:\n  - {name: a, call: absent}\n  - echo $X\n' +
        '  - {name: a, call: later}\n---\nname: later\nsteps: []\n',
    })
    expect(answer.problems).toEqual([
      {
        message: 'step "a": name must be unique: there are two steps "a"',
        line: 5,
        column: 12,
        endLine: 5,
        endColumn: 13,
      },
    ])
    expect(answer.warnings).toEqual(
      [
        {
          message:
            'step 2: command refers to $X, which nothing in the file defines: ' +
            'it is empty unless a caller or .env gives it',
          line: 4,
          column: 5,
        },
        {
          message: 'no setting defines the queue "nowhere": it has the limit of this DAG',
          line: 1,
          column: 8,
        },
        { message: 'there is no DAG "absent" to call', line: 3, column: 21 },
      ].map((one) => expect.objectContaining(one)),
    )
  })

  test('the steps of the text are listed with their lines, even when the text has faults', async () => {
    const spec =
      'steps:\n  - name: a\n    script: |\n      one\n      two\n\n  # b\n  - [{name: b, call: kid}, echo]\n' +
      '  - name: c\n    colour: red\n    depends: []\n---\nname: kid\nsteps: [echo]\n'
    expect((await validate({ spec })).steps).toEqual([
      { name: 'a', depends: [], firstLine: 2, lastLine: 5 },
      { name: 'b', depends: ['a'], call: 'kid', firstLine: 8, lastLine: 8 },
      { name: 'cmd_3', depends: ['a'], firstLine: 8, lastLine: 8 },
      { name: 'c', depends: [], firstLine: 9, lastLine: 11 },
    ])
    const mapped = 'type: graph\nSteps:\n  x:\n    command: a\n  y:\n    depends: x\n    command: b\n'
    expect((await validate({ spec: mapped })).steps).toEqual([
      { name: 'x', depends: [], firstLine: 3, lastLine: 4 },
      { name: 'y', depends: ['x'], firstLine: 5, lastLine: 7 },
    ])
    expect((await validate({ spec: 'steps: [' })).steps).toEqual([])
  })

  test.each(['steps: [', 'a: b: c', '- 1\n- 2\n', '\u0000', '5'])(
    'the text %j is answered as invalid',
    async (spec) => {
      expect(await validate({ spec })).toMatchObject({ valid: false })
    },
  )
})

describe('200 with a plan', () => {
  const spec = `
type: graph
schedule: "30 4 * * *"
secrets: [{name: TOKEN, provider: env, key: X}]
env: [{BASE: /data}, {OUT: "$BASE/out"}]
params: [{DAY: monday}, {WHO: "\`whoami\`"}]
mailOn: {failure: true}
queue: nightly
workerSelector: {zone: eu}
handlerOn: {exit: {command: echo bye}}
steps:
  - {name: a, command: echo $DAY, output: WORD}
  - {name: b, command: "true", preconditions: [{condition: "false"}]}
  - name: c
    depends: [a, b]
    executor: http
    command: "GET http://\${DAY}.example.org/\${WORD}"
    repeatPolicy: {repeat: true, intervalSec: 5}
`

  test('shows the order, the values with their origin, what a run needs, and warnings', async () => {
    const { body } = await api.post<{ plan: Record<string, unknown> }>('/dags/validate?plan=true', {
      spec,
      params: 'DAY=tuesday',
    })
    expect(body.plan).toMatchObject({
      order: [['a', 'b'], ['c'], ['onExit']],
      values: [
        { name: 'TOKEN', value: '*******', origin: 'secret' },
        { name: 'BASE', value: '/data', origin: 'env' },
        { name: 'OUT', value: '/data/out', origin: 'env' },
        { name: 'DAY', value: 'tuesday', origin: 'given' },
        { name: 'WHO', value: '`whoami`', origin: 'default' },
      ],
      queue: 'nightly',
      workerSelector: { zone: 'eu' },
      warnings: [
        'mails are configured, but there is no smtp server',
        'mailOn.failure is set, but there is no errorMail',
      ],
    })
    expect(body.plan['steps']).toEqual([
      { name: 'a', executor: 'shell', dependsOn: [], work: ['echo $DAY'] },
      { name: 'b', executor: 'shell', dependsOn: [], work: ['true'] },
      {
        name: 'c',
        executor: 'http',
        dependsOn: ['a', 'b'],
        work: ['GET http://tuesday.example.org/${WORD}'],
      },
      { name: 'onExit', handler: 'exit', executor: 'shell', dependsOn: [], work: ['echo bye'] },
    ])
    const fires = body.plan['nextFires'] as string[]
    expect(fires).toHaveLength(5)
    expect(fires.every((time) => time.endsWith('T04:30:00Z'))).toBe(true)
  })

  test('shows the work of each step, where values stay out of filters and within their word', async () => {
    const { body } = await api.post<{ plan: { steps: { work: string[] }[] } }>('/dags/validate?plan=true', {
      spec: `
params: [{WHO: "a b/c"}]
steps:
  - {executor: jq, command: '.name + " $WHO" + \${WHO}', script: '{"name": "$WHO"}'}
  - {executor: {type: docker, config: {image: i}}, command: [echo $WHO, "echo 'a  b'"]}
  - {executor: http, command: "GET http://x.example/$WHO?q=$WHO", script: '{"q": "$WHO"}'}
  - {executor: http, command: "$WHO http://x.example"}
`,
    })
    expect(body.plan.steps.map(({ work }) => work)).toEqual([
      ['.name + " $WHO" + ${WHO}', '{"name": "a b/c"}'],
      [`'echo' 'a b/c'`, "echo 'a  b'"],
      ['GET http://x.example/a%20b/c?q=a%20b/c', '{"q": "a b/c"}'],
      ['$WHO http://x.example'],
    ])
  })

  test('a spec with faults has no plan', async () => {
    const { body } = await api.post<object>('/dags/validate?plan=true', { spec: 'steps: [' })
    expect(body).not.toHaveProperty('plan')
  })
})

describe('400 bad_request', () => {
  test('params that do not fit their schema', async () => {
    const spec = 'params: {schema: {type: object, properties: {n: {type: integer}}}}\nsteps:\n  - echo\n'
    expect(await api.post('/dags/validate?plan=true', { spec, params: 'n=many' })).toMatchObject({
      status: 400,
    })
  })

  test('a body without a spec', async () => {
    expect(await api.post('/dags/validate', {})).toMatchObject({
      status: 400,
      body: { message: 'spec: is required' },
    })
  })
})
