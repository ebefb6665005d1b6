import { afterAll, beforeEach, expect, test } from 'vitest'
import { openMailbox } from '#tests/support/mailbox.ts'
import { until } from '#tests/support/until.ts'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()
kit.runner()
const mailbox = await openMailbox()
afterAll(() => mailbox.close())
beforeEach(() => void mailbox.received.splice(0))

const around = [
  'env:',
  '  - TEAM: ann@example.org',
  `smtp: {host: 127.0.0.1, port: "${mailbox.port}"}`,
  'errorMail: {from: jobs@example.org, to: "${TEAM}", prefix: "[broken]", attachLogs: true}',
  'infoMail: {from: jobs@example.org, to: [bob@example.org], prefix: "[done]"}',
]

test('a failed run is mailed with its steps and their logs if the DAG asks for it', async () => {
  const run = await kit.start([
    ...around,
    'mailOn: {failure: true}',
    'steps:',
    '  - {name: bad, command: echo why; exit 3}',
  ])
  expect(await kit.finished(run)).toMatchObject({ status: 'failed' })
  await until('the mail comes', () => mailbox.received.length > 0)
  const [one] = mailbox.received
  expect(one?.envelope).toEqual({ from: 'jobs@example.org', to: ['ann@example.org'] })
  expect(one?.mail.subject).toBe('[broken] demo (failed)')
  expect(one?.mail.text).toMatch(/^DAG demo, run \S+, attempt 1: failed\n\nbad: failed\n {4}exit status 3\n/)
  const [log] = one?.mail.attachments ?? []
  expect(log?.filename).toBe('bad.stdout.log')
  expect(Buffer.from(log?.content as ArrayBuffer).toString()).toBe('why\n')
})

test('a successful run is mailed to its own recipients, and only if the DAG asks for it', async () => {
  const silent = await kit.start([...around, 'steps:', '  - "true"'])
  const mailed = await kit.start([
    ...around,
    'mailOn: {success: true, failure: true}',
    'steps:',
    '  - "true"',
  ])
  await Promise.all([kit.finished(silent), kit.finished(mailed)])
  await until('the mail comes', () => mailbox.received.length > 0)
  expect(mailbox.received.map((one) => [one.envelope.to, one.mail.subject])).toEqual([
    [['bob@example.org'], '[done] demo (success)'],
  ])
})

test('a step with mailOnError is mailed once its retries are exhausted', async () => {
  const run = await kit.start([
    ...around,
    'steps:',
    '  - name: shaky',
    '    command: "false"',
    '    mailOnError: true',
    '    retryPolicy: {limit: 1, intervalSec: 0}',
    '    continueOn: {failure: true}',
    '  - "true"',
  ])
  expect(await kit.finished(run)).toMatchObject({ status: 'partial_success' })
  await until('the mail comes', () => mailbox.received.length > 0)
  expect(mailbox.received.map((one) => one.mail.subject)).toEqual(['[broken] demo, step shaky (failed)'])
})

test('a mail that cannot be sent is only noted in the log of the run', async () => {
  const broken = around.map((line) => (line.startsWith('smtp') ? 'smtp: {host: 127.0.0.1, port: "1"}' : line))
  const run = await kit.start([...broken, 'mailOn: {success: true}', 'steps:', '  - "true"'])
  expect(await kit.finished(run)).toMatchObject({ status: 'success' })
  await until('the log says so', async () =>
    (await kit.log(run, '', 'run')).includes('mail to bob@example.org: connect ECONNREFUSED 127.0.0.1:1'),
  )
})

test('a run that cannot start is mailed too, without running any command', async () => {
  const run = await kit.start([
    ...around,
    'mailOn: {failure: true}',
    'secrets: [{name: PGPASSWORD, provider: env, key: NOT_ON_THIS_RUNNER}]',
    'steps:',
    '  - "true"',
  ])
  expect(await kit.finished(run)).toMatchObject({ status: 'failed' })
  await until('the mail comes', () => mailbox.received.length > 0)
  const [one] = mailbox.received
  expect(one?.envelope.to).toEqual(['ann@example.org'])
  expect(one?.mail.subject).toBe('[broken] demo (failed)')
  expect(one?.mail.text).toMatch(
    /attempt 1: failed\n\nsecret PGPASSWORD: no variable NOT_ON_THIS_RUNNER on this runner/,
  )
})
