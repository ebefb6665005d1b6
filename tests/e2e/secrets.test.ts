import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog } from '#lib/telemetry/log.ts'
import { exportTraces } from '#lib/telemetry/traces.ts'
import { otlpCollector } from '#tests/support/otlp-collector.ts'
import { until } from '#tests/support/until.ts'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()
const { start, finished, db, folder } = kit
const collector = await otlpCollector()
const serviceLog: string[] = []
const traces = exportTraces(
  { endpoint: `${collector.endpoint}/`, headers: {}, serviceName: 'jobs' },
  createLog({ level: 'silent', part: 'runner' }),
)
const pin = 'zebra-quartz-42'
const word = 'violet"harbour&9'
const key = ['-----BEGIN KEY-----', 'MIIEvQIBADANBgkqhkiG', 'w0BAQEFAASCBKcwggSj', '-----END KEY-----'].join(
  '\n',
)
writeFileSync(join(folder, 'key.pem'), `${key}\n`)
const runner = kit.runner({
  traces,
  environment: { ...process.env, SECRETS_E2E_PIN: pin, SECRETS_E2E_WORD: word },
  log: createLog({ level: 'debug', part: 'runner' }, { write: (line) => void serviceLog.push(line) }),
})

const secrets = [
  'secrets:',
  '  - {name: PIN, provider: env, key: SECRETS_E2E_PIN}',
  '  - {name: WORD, provider: env, key: SECRETS_E2E_WORD}',
  `  - {name: KEY, provider: file, key: ${join(folder, 'key.pem')}}`,
]

/** Everything of a run that others can see: rows, logs, lines of the service log, spans. */
async function traceOf(runKey: string): Promise<string> {
  const rows = await db.sql<{ row: string }[]>`
    select to_jsonb(r)::text as row from millrace.dag_run r where run_key = ${runKey}
    union all select to_jsonb(s)::text from millrace.dag_run_step s where run_key = ${runKey}`
  const logs = readdirSync(join(folder, 'logs'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, 'logs', name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
  const [run] = await db.sql<
    { run_id: string }[]
  >`select run_id from millrace.dag_run where run_key = ${runKey}`
  const id = run?.run_id ?? ''
  await until('the span of the run', () =>
    collector.spans.some(({ name, attributes }) => name === 'demo' && attributes['millrace.run_id'] === id),
  )
  return [...rows.map(({ row }) => row), ...logs, ...serviceLog, JSON.stringify(collector.spans)].join('\n')
}

async function expectHidden(lines: readonly string[]): Promise<string> {
  const runKey = await start([...secrets, ...lines])
  await finished(runKey)
  const seen = await traceOf(runKey)
  for (const hidden of [pin, ...word.split(/["&]/).slice(0, 2), ...key.split('\n').slice(1, 3)]) {
    expect(seen).not.toContain(hidden)
    expect(seen).not.toContain(hidden.slice(0, 10))
    expect(seen).not.toContain(Buffer.from(hidden).toString('base64').slice(0, 10))
  }
  expect(seen).toContain('*******')
  return seen
}

test('the actual value of a precondition is masked, even if it is truncated', async () => {
  const long = 'x'.repeat(192)
  const seen = await expectHidden([
    'steps:',
    ...['$PIN', '$WORD', '$KEY', `${long}$PIN`, `${long}$KEY`].flatMap((text, n) => [
      `  - name: step ${n}`,
      `    preconditions: [{condition: "${text}", expected: "never"}]`,
      '    command: echo',
      '    continueOn: {skipped: true}',
    ]),
  ])
  expect(seen).toContain(String.raw`expected \"never\", got \"*******\"`)
})

test('command conditions and their errors are masked', async () => {
  await expectHidden([
    'preconditions: [{condition: "`echo $PIN`", expected: "re:^zebra-quartz-42$"}]',
    'steps:',
    '  - name: one',
    '    preconditions: ["echo $PIN >&2; echo \\"$KEY\\" >&2; false"]',
    '    command: echo',
    '    continueOn: {skipped: true}',
    '  - name: two',
    '    preconditions: [{condition: "`echo $WORD >&2; exit 3`", expected: "x"}]',
    '    command: echo',
    '    continueOn: {skipped: true}',
    '  - name: three',
    `    preconditions: [{condition: "\`printf %01015d 0 >&2; echo $PIN >&2; exit 3\`", expected: "x"}]`,
    '    command: echo',
  ])
})

test('an unmet precondition of the DAG and a failing command in its inputs reveal no secret', async () => {
  await expectHidden([
    'preconditions: [{condition: "$PIN", expected: "never"}]',
    'handlerOn: {exit: {command: echo "$KEY"}}',
    'steps: [echo]',
  ])
  await expectHidden([`env: [{A: "\`cat ${join(folder, 'key.pem')} >&2; exit 3\`"}]`, 'steps: [echo]'])
})

test('a policy value that is not a number reveals no secret', async () => {
  await expectHidden([
    'steps:',
    '  - name: one',
    '    retryPolicy: {limit: "$PIN", intervalSec: 1}',
    '    command: echo',
  ])
})

test('errors reveal no secret from the text of the DAG', async () => {
  const rowsOf = async (lines: readonly string[]): Promise<string> => {
    const runKey = await start(lines)
    await finished(runKey)
    const rows = await db.sql<{ row: string }[]>`
      select jsonb_build_array(r.error, r.status)::text as row from millrace.dag_run r where run_key = ${runKey}
      union all select to_jsonb(s)::text from millrace.dag_run_step s where run_key = ${runKey}`
    return rows.map(({ row }) => row).join('\n')
  }
  const env = ['env:', '  - API_TOKEN: written-4711', '  - DB_PASSWORD: "`echo made-4711`"']
  const steps = await rowsOf([
    ...env,
    'steps:',
    '  - name: condition',
    '    preconditions: [{condition: "$API_TOKEN $DB_PASSWORD", expected: "never"}]',
    '    command: echo',
    '    continueOn: {skipped: true}',
    '  - name: error',
    '    command: /nowhere/$API_TOKEN/$DB_PASSWORD',
    '  - name: of the step',
    '    env: [{STEP_SECRET: own-4711}]',
    '    command: /nowhere/$STEP_SECRET',
  ])
  expect(steps).not.toContain('4711')
  expect(steps).toContain('got \\"******* *******\\"')
  const policy = await rowsOf([
    ...env,
    'steps:',
    '  - {name: one, command: echo, retryPolicy: {limit: "$API_TOKEN", intervalSec: 1}}',
  ])
  expect(policy).toContain('is \\"*******\\"')
  expect(policy).not.toContain('4711')
})

test('errors, outputs and logs are masked in all forms in which programs print values', async () => {
  await expectHidden([
    'errorMail: {from: a@example.org, to: b@example.org, prefix: x}',
    'mailOn: {failure: true}',
    'smtp: {host: "127.0.0.1", port: "1", username: $WORD}',
    'steps:',
    '  - name: forms',
    '    env: [{COPY: "<$PIN>"}]',
    '    command: |',
    '      echo "$COPY"; printf %s "$PIN" | base64; printf "user:%s" "$PIN" | base64; printf "$KEY" | tr "\\n" "|"',
    '      printf %s "$PIN" | head -c 6; sleep 0.05; printf %s "$PIN" | tail -c +7',
    '    output: OUT',
    '  - name: tail',
    '    command: printf "%s%01010d" "$PIN" 0 >&2; exit 4',
    '    continueOn: {failure: true}',
    '  - name: request',
    '    executor: {type: http, config: {debug: true, timeout: 1}}',
    '    command: GET http://127.0.0.1:1/a/${WORD}/b?q=${WORD}&k=${KEY}',
    '    continueOn: {failure: true}',
    '  - name: nonsense',
    '    executor: http',
    `    env: [{TARGET: "${'x'.repeat(190)}$PIN"}]`,
    '    command: GET $TARGET',
    '    continueOn: {failure: true}',
    '  - name: place',
    '    workingDir: "`echo $PIN >&2; exit 3`"',
    '    command: echo',
    '  - name: never',
    '    command: echo',
  ])
  await runner.stop()
})
