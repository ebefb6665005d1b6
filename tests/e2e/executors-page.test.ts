import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { executorTypes } from '#lib/definition/definition.ts'
import { dockerHost, image, reachEngine } from '#tests/executors/docker/engine.ts'
import { hasSshd, startSshd } from '#tests/executors/ssh/sshd.ts'
import { openMailbox } from '#tests/support/mailbox.ts'
import { runnerKit } from './runner-kit.ts'

/** The examples of EXECUTORS.md, by their headings. */
const page = readFileSync(new URL('../../EXECUTORS.md', import.meta.url), 'utf8')
const examples = new Map(
  page
    .split('\n## ')
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf('\n')), /```yaml\n([^]*?)```/.exec(part)?.[1] ?? '']),
)

const engine = await reachEngine()
const kit = await runnerKit()
kit.runner({ executors: { httpAllow: [], jqPath: undefined, docker: { host: dockerHost } } })

async function run(name: string, adapt: (example: string) => string = (example) => example): Promise<string> {
  const key = await kit.start(adapt(examples.get(name) ?? ''))
  const { status, errors } = await kit.finished(key, 30_000)
  expect({ errors, status }).toEqual({ errors: {}, status: 'success' })
  return key
}

describe('the examples of EXECUTORS.md', () => {
  test('include one for each executor', () => {
    const withExample = [...examples].filter(([, example]) => example !== '').map(([name]) => name)
    expect(withExample.toSorted()).toEqual(executorTypes.toSorted())
  })

  test('shell', async () => {
    const key = await run('shell')
    expect([await kit.log(key, 'count'), await kit.log(key, 'tell')]).toEqual(['1\n2\n3\n', 'one\ntwo\n'])
  })

  test('http', async () => {
    const server = createServer(
      (request, answer) => void answer.end([request.url, request.headers['x-probe']].join(' ')),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const key = await run('http', (example) => example.replace(':8081', `:${port}`))
    expect(await kit.log(key, 'ask')).toBe('/items?page=3 yes')
    server.close()
  })

  test('jq', async () => {
    expect(await kit.log(await run('jq'), 'pick')).toBe('a plum costs 3\n')
  })

  test('dag', async () => {
    expect(await kit.log(await run('dag'), 'show')).toBe('hello Ada\n')
  })

  test('mail', async () => {
    const mailbox = await openMailbox()
    afterAll(() => mailbox.close())
    await run('mail', (example) => example.replace('25', mailbox.port))
    expect(mailbox.received.map((one) => one.mail.subject)).toEqual(['done'])
  })

  test.runIf(hasSshd)('ssh', async () => {
    const sshd = await startSshd()
    const login = `config: ${JSON.stringify(sshd.login)}`
    const key = await run('ssh', (example) => example.replace(/config: \{.*\}/, login))
    expect(await kit.log(key, 'over there')).toBe('hello Ada\nLinux\n')
    sshd.stop()
  })

  test.runIf(engine !== undefined)('docker', async () => {
    const key = await run('docker', (example) => example.replace('alpine:3', image))
    expect(await kit.log(key, 'in a box')).toBe('COLOUR=teal\n')
  })
})
