import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { dial, answersOf } from '#tests/support/raw-request.ts'
import { until } from '#tests/support/until.ts'
import { listen } from '#local/listen.ts'

type Smaller = Parameters<typeof listen>[2]

async function serve(fetch: Parameters<typeof listen>[0], smaller: Smaller, trustedProxies: string[] = []) {
  const served = await listen(fetch, { host: '127.0.0.1', port: 0, trustedProxies }, smaller)
  onTestFinished(() => served.close())
  return served.url
}

/** Sends a text at once and then a byte every 20 ms, until the server has had enough. */
async function trickle(url: string, text: string) {
  const socket = dial(url, text)
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece)).on('error', () => undefined)
  const timer = setInterval(() => socket.write('x'), 20)
  await once(socket, 'close')
  clearInterval(timer)
  return answersOf(Buffer.concat(pieces).toString('latin1'))
}

const isClosed = (socket: Socket): boolean => socket.destroyed

async function open(url: string, text: string): Promise<Socket> {
  const socket = dial(url, text)
  socket.on('error', () => undefined).resume()
  onTestFinished(() => void socket.destroy())
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('headers must arrive within 20 seconds, and a body within a minute', () => {
  expect(limits).toMatchObject({ headersMsMax: 20_000, requestMsMax: 60_000 })
})

test('a client that trickles headers is cut off with the reason', async () => {
  const url = await serve(() => new Response('ok'), { headersMsMax: 300 })
  const answers = await trickle(url, 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ')
  expect(answers).toMatchObject([{ status: 408, headers: { 'x-content-type-options': 'nosniff' } }])
  expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ code: 'bad_request' })
})

test('a silent connection is closed', async () => {
  const url = await serve(() => new Response('ok'), { headersMsMax: 300 })
  const socket = await open(url, '')
  await until('the connection is closed', () => isClosed(socket))
})

test('a client that trickles a body is cut off', async () => {
  const ended = Promise.withResolvers<unknown>()
  const url = await serve(
    async (request) => {
      await request.text().catch(ended.resolve)
      return new Response('ok')
    },
    { headersMsMax: 200, requestMsMax: 400 },
  )
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n'
  expect(await trickle(url, head)).toMatchObject([{ status: 408 }])
  await ended.promise
})

test('an address may have a limited number of open connections', async () => {
  const url = await serve(() => new Response('ok'), { connectionsPerAddressMax: 3 })
  const sockets = await Promise.all([1, 2, 3].map(() => open(url, '')))
  const refused = await open(url, get)
  await until('the fourth is closed', () => isClosed(refused))
  expect(sockets.map(isClosed)).toEqual([false, false, false])
  sockets[0]?.destroy()
  await until('another connection is accepted', async () => {
    const answer = await fetch(url).catch(() => undefined)
    return answer?.status === 200
  })
})

test('the total number of connections is limited, and a trusted proxy may use all of them', async () => {
  const bounds = { connectionsMax: 4, connectionsPerAddressMax: 1 }
  const url = await serve(() => new Response('ok'), bounds, ['127.0.0.1'])
  const sockets = await Promise.all([1, 2, 3, 4].map(() => open(url, '')))
  const refused = await open(url, '')
  await until('the fifth is closed', () => isClosed(refused))
  expect(sockets.map(isClosed)).toEqual([false, false, false, false])
})

test('behind a trusted proxy, each caller has its own limit of concurrent requests', async () => {
  const going = Promise.withResolvers<Response>()
  let calls = 0
  const answer = (): Promise<Response> | Response => {
    calls += 1
    return calls <= 2 ? going.promise.then((response) => response.clone()) : new Response('ok')
  }
  const url = await serve(answer, { connectionsPerAddressMax: 2 }, ['127.0.0.1'])
  const from = (address: string) => fetch(url, { headers: { 'x-forwarded-for': address } })
  const held = [from('192.0.2.1'), from('192.0.2.1')]
  await until('both are in progress', () => calls === 2)
  const refused = await from('192.0.2.1')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await refused.json()).toMatchObject({ code: 'service_unavailable' })
  expect((await from('192.0.2.2')).status).toBe(200)
  going.resolve(new Response('ok'))
  for (const response of held) expect((await response).status).toBe(200)
  expect((await from('192.0.2.1')).status).toBe(200)
})

test('pipelined requests on one connection count towards the limit', async () => {
  const going = Promise.withResolvers<Response>()
  const url = await serve(() => going.promise.then((response) => response.clone()), {
    connectionsPerAddressMax: 2,
  })
  const socket = dial(url, get.repeat(4))
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece)).on('error', () => undefined)
  going.resolve(new Response('ok'))
  await once(socket, 'close')
  const statuses = answersOf(Buffer.concat(pieces).toString('latin1')).map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 503])
})
