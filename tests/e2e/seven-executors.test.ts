import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { dockerHost, image, reachEngine } from '#tests/executors/docker/engine.ts'
import { hasSshd, startSshd } from '#tests/executors/ssh/sshd.ts'
import { openMailbox } from '#tests/support/mailbox.ts'
import { until } from '#tests/support/until.ts'
import { runnerKit } from './runner-kit.ts'

const engine = await reachEngine()
const kit = await runnerKit()
kit.runner({ executors: { httpAllow: [], jqPath: undefined, docker: { host: dockerHost } } })
const mailbox = await openMailbox()
afterAll(() => mailbox.close())

/** An HTTP service with prices. */
async function priceList(): Promise<Server> {
  const server = createServer((_, answer) => void answer.end('{"plum": 3, "fig": 5}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

test.runIf(hasSshd && engine !== undefined)(
  'one run uses all seven executors',
  async () => {
    const [sshd, prices] = await Promise.all([startSshd(), priceList()])
    const { port: httpPort } = prices.address() as AddressInfo
    const run = await kit.start([
      `smtp: {host: 127.0.0.1, port: "${mailbox.port}"}`,
      'steps:',
      '  - {name: shell, command: echo fig, output: FRUIT}',
      '  - name: http',
      '    executor: {type: http, config: {silent: true}}',
      `    command: GET http://127.0.0.1:${httpPort}/`,
      '    output: PRICES',
      '  - name: jq',
      '    executor: {type: jq, config: {raw: true}}',
      '    script: ${PRICES}',
      '    command: .[$FRUIT]',
      '    output: PRICE',
      '  - name: ssh',
      `    executor: {type: ssh, config: ${JSON.stringify({ ...sshd.login })}}`,
      '    command: echo "over there a $FRUIT costs $PRICE"',
      '    output: REMOTE',
      '  - name: docker',
      `    executor: {type: docker, config: {image: "${image}", pull: never, autoRemove: true}}`,
      '    command: echo "in a box a ${FRUIT} costs ${PRICE}"',
      '    output: BOX',
      '  - {name: dag, executor: dag, command: child, params: "WORD=${BOX}", output: CHILD}',
      '  - name: mail',
      '    executor:',
      '      type: mail',
      '      config: {to: ann@example.org, from: jobs@example.org, subject: prices, message: "${CHILD.outputs.SAID}"}',
      '---',
      'name: child',
      'params: [{WORD: none}]',
      'steps:',
      '  - {name: say, command: echo "$WORD", output: SAID}',
    ])
    try {
      const end = await kit.finished(run, 60_000)
      expect({ errors: end.errors, status: end.status }).toEqual({ errors: {}, status: 'success' })
      expect(await kit.log(run, 'ssh')).toBe('over there a fig costs 5\n')
      await until('the mail comes', () => mailbox.received.length > 0)
      expect(mailbox.received[0]?.mail.text?.trim()).toBe('in a box a fig costs 5')
      const left = await engine?.listContainers({ all: true, filters: { label: [`millrace.run=${run}`] } })
      expect(left).toEqual([])
    } finally {
      sshd.stop()
      prices.close()
    }
  },
  90_000,
)
