import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterAll, describe, expect, test } from 'vitest'
import { createRemoteNodes } from '#lib/api/remote-nodes/remote-nodes.ts'
import { limits } from '#lib/core/limits.ts'
import { listen } from '#local/listen.ts'
import { testApi } from '#tests/support/api.ts'
import { until } from '#tests/support/until.ts'

const secret = 'the-token-of-the-node'
const near = await testApi()
const far = await testApi()
const served = await listen(far.with({ auth: { basic: undefined, token: secret } }).fetch, {
  host: '127.0.0.1',
  port: 0,
  trustedProxies: [],
})
const servers: Server[] = []
const sockets = new Set<Socket>()
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
  await served.close()
})

async function urlOf(server: Server): Promise<string> {
  servers.push(server.on('connection', (socket) => sockets.add(socket)).listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`
}

/** A node that answers as the test says, and records its requests. */
const asked: IncomingMessage[] = []
async function odd(answer: (response: ServerResponse) => void): Promise<string> {
  return urlOf(
    createHttpServer((request, response) => {
      asked.push(request)
      answer(response)
    }),
  )
}

const json = { 'content-type': 'application/json' }
const bearer = `Bearer ${secret}`
const nodes = createRemoteNodes(
  [
    { name: 'far', baseUrl: `${served.url}/api/v2`, authorization: bearer },
    { name: 'stranger', baseUrl: `${served.url}/api/v2`, authorization: 'Bearer wrong-wrong-wrong' },
    { name: 'nobody', baseUrl: 'http://127.0.0.1:1/api/v2', authorization: bearer },
    { name: 'silent', baseUrl: await odd(() => {}), authorization: bearer },
    {
      name: 'stuck',
      baseUrl: await odd((response) => response.writeHead(200, json).write('{"dags":')),
      authorization: undefined,
    },
    {
      name: 'noise',
      baseUrl: await urlOf(createTcpServer((socket) => socket.once('data', () => socket.end('garbage\n\n')))),
      authorization: undefined,
    },
    {
      name: 'closes',
      baseUrl: await urlOf(createTcpServer((socket) => socket.once('data', () => socket.destroy()))),
      authorization: undefined,
    },
    {
      name: 'redirects',
      baseUrl: await odd((response) =>
        response.writeHead(302, { location: `${served.url}/api/v2/dags` }).end(),
      ),
      authorization: bearer,
    },
    {
      name: 'page',
      baseUrl: await odd((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<b>')),
      authorization: undefined,
    },
    {
      name: 'broken',
      baseUrl: await odd((response) => response.writeHead(500, json).end('{"secret":1}')),
      authorization: undefined,
    },
    {
      name: 'busy',
      baseUrl: await odd((response) =>
        response
          .writeHead(503, { ...json, 'retry-after': '7', 'set-cookie': 'a=b', server: 'x', etag: '"5"' })
          .end('{"code":"service_unavailable","message":"busy"}'),
      ),
      authorization: undefined,
    },
    {
      name: 'endless',
      baseUrl: await odd((response) => {
        response.writeHead(200, json)
        const block = Buffer.alloc(1_048_576, 32)
        const more = (): void => {
          while (!response.destroyed && response.write(block));
        }
        response.on('drain', more)
        more()
      }),
      authorization: undefined,
    },
  ],
  { answerMs: 2_000 },
)
const api = near.with({ remoteNodes: nodes })

describe('a call to another node', () => {
  test('forwards method, path, query and body, and returns status, headers and body', async () => {
    expect(await api.post('/dags?remoteNode=far', { name: 'there' })).toMatchObject({
      status: 201,
      body: { name: 'there' },
    })
    expect((await near.get('/dags/there')).status).toBe(404)
    expect((await far.get('/dags/there')).status).toBe(200)
    const spec = await api.get<{ spec: string }>('/dags/there/spec?remoteNode=far')
    expect(spec.headers.get('etag')).toMatch(/^"/)
    const search = await api.get<{ results: unknown[] }>('/dags/search?q=echo%20hello&remoteNode=far')
    expect(search.body.results).toHaveLength(1)
    const started = await api.post('/dags/there/start?remoteNode=far', { dagRunId: 'r1' })
    expect(started).toMatchObject({ status: 200, body: { dagRunId: 'r1' } })
    expect(await api.get('/dag-runs/there/r1?remoteNode=far')).toMatchObject({
      body: { dagRun: { dagRunId: 'r1' } },
    })
    expect(
      await api.call('PUT', '/dags/there/spec?remoteNode=far', {
        body: { spec: spec.body.spec },
        headers: { 'if-match': '"999"' },
      }),
    ).toMatchObject({ status: 412 })
    expect(await api.call('DELETE', '/dags/there?remoteNode=far')).toMatchObject({ status: 204, body: '' })
    expect((await far.get('/dags/there')).status).toBe(404)
  })

  test('returns refusals of the node unchanged', async () => {
    expect(await api.get('/dags/none?remoteNode=far')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    expect((await api.get('/metrics?remoteNode=far')).headers.get('content-type')).toContain('text/plain')
    const busy = await api.get('/dags?remoteNode=busy')
    expect(busy).toMatchObject({ status: 503, body: { message: 'busy' } })
    expect(busy.headers.get('retry-after')).toBe('7')
    expect(busy.headers.get('set-cookie')).toBeNull()
    expect(busy.headers.get('server')).toBeNull()
  })

  test('forwards HEAD as HEAD', async () => {
    expect(await api.call('HEAD', '/dags?remoteNode=far')).toMatchObject({ status: 200, body: '' })
  })

  test('carries the credential of the node, never that of the caller', async () => {
    asked.length = 0
    const own = 'the-token-of-the-caller'
    const guarded = api.with({ auth: { basic: undefined, token: own } })
    await guarded.call('GET', '/dags?remoteNode=redirects&page=2&remoteNode=far', {
      headers: {
        authorization: `Bearer ${own}`,
        cookie: 'session=1',
        'x-forwarded-for': '10.0.0.1',
        'x-api-key': 'k',
        'last-event-id': '5',
        'x-request-id': 'abc',
      },
    })
    expect(asked).toHaveLength(1)
    const [request] = asked
    expect(request?.url).toBe('/api/v2/dags?page=2')
    const { host: _, connection: __, ...headers } = request?.headers ?? {}
    expect(headers).toEqual({
      'content-type': 'application/json',
      authorization: bearer,
      'accept-encoding': 'identity',
      'last-event-id': '5',
      'x-request-id': 'abc',
      'x-millrace-forwarded': '1',
      'x-millrace-role': 'admin',
    })
  })

  test('cannot reach another endpoint through its path', async () => {
    asked.length = 0
    const name = encodeURIComponent('a/b/x?y#z')
    await api.get(`/dag-runs/d/r/steps/${name}/log?remoteNode=redirects`)
    expect(asked[0]?.url).toBe(`/api/v2/dag-runs/d/r/steps/${name}/log`)
    for (const climbing of ['a/../../x', '%2e%2e']) {
      const path = `/dag-runs/d/r/steps/${encodeURIComponent(climbing)}/log?remoteNode=redirects`
      expect((await api.get(path)).status).toBe(400)
    }
    expect(asked).toHaveLength(1)
  })
})

describe('access is checked before a call is forwarded', () => {
  const guarded = api.with({ auth: { basic: undefined, token: 'the-token-of-the-caller' } })

  test.each(['far', 'nowhere'])(
    'a caller without a credential does not learn whether %s exists',
    async (name) => {
      expect((await guarded.get(`/dags?remoteNode=${name}`)).status).toBe(401)
      expect((await guarded.get(`/health?remoteNode=${name}`)).status).toBe(401)
    },
  )

  test('calls from other sites and acting calls with HEAD are not forwarded', async () => {
    asked.length = 0
    const headers = { origin: 'https://evil.example' }
    expect((await api.call('POST', '/dags?remoteNode=page', { body: {}, headers })).status).toBe(403)
    expect((await api.call('HEAD', '/dag-runs/a/b/dequeue?remoteNode=page')).status).toBe(405)
    expect((await api.get('/dags/a%2Fb?remoteNode=page')).status).toBe(400)
    expect(asked).toEqual([])
  })
})

describe('400 bad_request', () => {
  test.each(['nowhere', '__proto__', 'http%3A%2F%2F127.0.0.1%2F'])('the unknown node %s', async (name) => {
    expect(await api.get(`/dags?remoteNode=${name}`)).toMatchObject({
      status: 400,
      body: { code: 'bad_request', message: expect.stringContaining('unknown node') },
    })
  })

  test('a forwarded call is not forwarded again', async () => {
    const headers = { 'x-millrace-forwarded': '1' }
    expect((await api.call('GET', '/dags?remoteNode=far', { headers })).status).toBe(400)
    expect((await api.call('GET', '/dags', { headers })).status).toBe(200)
  })
})

describe('502 remote_node_error', () => {
  test.each(['nobody', 'silent', 'closes'])('the node %s, which does not answer', async (name) => {
    const answer = await api.get(`/dags?remoteNode=${name}`)
    expect(answer).toMatchObject({ status: 502, body: { code: 'remote_node_error' } })
    expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|token/)
  })
})

describe('502 bad_gateway', () => {
  test.each(['noise', 'redirects', 'page', 'broken', 'stranger'])(
    'the node %s, whose answer is invalid',
    async (name) => {
      const answer = await api.get(`/dags?remoteNode=${name}`)
      expect(answer).toMatchObject({ status: 502, body: { code: 'bad_gateway' } })
      expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|token|secret/)
    },
  )
})

describe('the answer of a node', () => {
  const ask = (name: string) =>
    api.fetch(new Request(`http://localhost/api/v2/dags?remoteNode=${name}`, { headers: json }))

  test('is aborted when it stops in the middle', async () => {
    const answer = await ask('stuck')
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
  })

  test('is streamed up to the limit when it is endless, and aborted there', async () => {
    const answer = await ask('endless')
    let size = 0
    const read = async (): Promise<void> => {
      for await (const chunk of answer.body ?? []) size += chunk.byteLength
    }
    await expect(read()).rejects.toThrow('too large')
    expect(size).toBeLessThanOrEqual(limits.remoteAnswerBytesMax)
    expect(size).toBeGreaterThan(limits.remoteAnswerBytesMax - 1_048_576)
  })

  test('is no longer read when the caller disconnects', async () => {
    const answer = await ask('endless')
    const [request] = asked.slice(-1)
    await answer.body?.cancel()
    await until('the connection to the node is closed', () => request?.socket.destroyed === true)
  })

  test(
    'may be many streams beside other calls, and further calls are refused',
    { timeout: 20_000 },
    async () => {
      const baseUrl = await odd((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
        const beat = setInterval(() => response.write(':\n\n'), 500)
        response.on('close', () => {
          clearInterval(beat)
        })
      })
      const crowded = createRemoteNodes([{ name: 'crowded', baseUrl, authorization: undefined }], {
        answerMs: 3_000,
      })
      const gone = new AbortController()
      const call = {
        method: 'GET',
        target: '/dags',
        headers: new Headers(),
        body: undefined,
        requestId: 'crowd',
        role: 'viewer' as const,
        signal: gone.signal,
      }
      const open = (count: number) =>
        Promise.all(
          Array.from({ length: count }, async () => (await crowded.forward('crowded', call)).status),
        )
      expect(new Set(await open(limits.eventStreamsMax + 128))).toEqual(new Set([200]))
      await expect(crowded.forward('crowded', call)).rejects.toMatchObject({
        code: 'remote_node_error',
      })
      gone.abort()
    },
  )
})
