import { describe, expect, test } from 'vitest'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterAll } from 'vitest'
import { createRemoteNodes } from '#lib/api/remote-nodes/remote-nodes.ts'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { listen } from '#local/listen.ts'
import { testApi } from '#tests/support/api.ts'

const token = 'the-token-of-the-far-node'
const near = await testApi()
const far = await testApi()
const served = await listen(far.with({ auth: { basic: undefined, token } }).fetch, {
  host: '127.0.0.1',
  port: 0,
  trustedProxies: [],
})
const { key } = await createApiKey(far.database.db, {
  name: 'near',
  role: 'operator',
  createdBy: 'test',
  expiresInDays: undefined,
})
const old = createServer((_request, response) => {
  response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
}).listen(0, '127.0.0.1')
const silent = createServer(() => {}).listen(0, '127.0.0.1')
await Promise.all([once(old, 'listening'), once(silent, 'listening')])
afterAll(async () => {
  silent.closeAllConnections()
  silent.close()
  old.close()
  await served.close()
})
const baseOf = (server: typeof old): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`
const baseUrl = `${served.url}/api/v2`
const nodes = createRemoteNodes(
  [
    { name: 'berlin', baseUrl, authorization: `Bearer ${key}` },
    { name: 'wrong', baseUrl, authorization: 'Bearer wrong-wrong-wrong' },
    { name: 'old', baseUrl: baseOf(old), authorization: undefined },
    { name: 'down', baseUrl: 'http://127.0.0.1:1/api/v2', authorization: `Bearer ${key}` },
    { name: 'silent', baseUrl: baseOf(silent), authorization: `Bearer ${key}` },
  ],
  { answerMs: 1_000 },
)

describe('200', () => {
  test('each node has its state and the role of its credential, and not the credential', async () => {
    const { body } = await near.with({ remoteNodes: nodes }).get<{ nodes: unknown[] }>('/system/nodes')
    expect(body.nodes).toMatchObject([
      { name: 'berlin', baseUrl, state: 'reachable', version: '0.0.0-test', role: 'operator' },
      { name: 'wrong', state: 'refused', error: 'it refuses the configured credential' },
      { name: 'old', state: 'reachable', error: 'it answers 404: it has no sessions' },
      { name: 'down', state: 'unreachable', error: 'node "down" cannot be reached' },
      { name: 'silent', state: 'unreachable', error: 'node "silent" did not answer in time' },
    ])
    expect(JSON.stringify(body)).not.toContain(key)
    expect(JSON.stringify(body)).not.toContain('wrong-wrong')
  })

  test('the list is empty without nodes', async () => {
    expect((await near.get('/system/nodes')).body).toEqual({ nodes: [] })
  })
})
