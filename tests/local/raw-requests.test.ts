import { afterAll, describe, expect, test } from 'vitest'
import { guardHeaders } from '#lib/api/requests/guard-headers.ts'
import { testApi } from '#tests/support/api.ts'
import { sendRaw } from '#tests/support/raw-request.ts'
import { listen } from '#local/listen.ts'

const api = await testApi()
const address = { host: '127.0.0.1', port: 0, trustedProxies: [] }
const served = await listen((request) => api.fetch(request), address)
afterAll(() => served.close())

const host = 'Host: localhost\r\n'
const close = 'Connection: close\r\n\r\n'
const livez = (target: string, headers: string): string => `GET ${target} HTTP/1.1\r\n${headers}${close}`

async function one(text: string, url = served.url) {
  const answers = await sendRaw(url, text)
  expect(answers).toHaveLength(1)
  const [{ status, headers, body } = { status: 0, headers: {}, body: '' }] = answers
  expect(headers).toMatchObject(guardHeaders)
  return {
    status,
    headers,
    body: body === '' ? undefined : (JSON.parse(body) as { code?: string; message?: string }),
  }
}

describe('requests that Node itself refuses get the error shape and the security headers', () => {
  test.each([
    ['a line that is no request', 'hello\r\n\r\n', 400],
    ['a method that does not exist', `GRAB / HTTP/1.1\r\n${host}${close}`, 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['headers that are too large', livez('/livez', `${host}X: ${'x'.repeat(20_000)}\r\n`), 431],
    ['a header with a line feed alone', livez('/livez', `${host}X: a\nY: b\n`), 400],
    ['a tunnel', `CONNECT evil.example:80 HTTP/1.1\r\n${host}${close}`, 405],
    ['OPTIONS of the whole server', `OPTIONS * HTTP/1.1\r\n${host}${close}`, 400],
    ['an expectation', livez('/livez', `${host}Expect: something\r\n`), 417],
    ['a target without a slash', livez('livez', host), 400],
    ['a target of another protocol', livez('ftp://localhost/livez', host), 400],
    ['TRACE', `TRACE /api/v2/dags HTTP/1.1\r\n${host}${close}`, 405],
    ['an unknown path of the service', livez('/api/v2/nowhere', host), 404],
  ])('%s', async (_what, text, status) => {
    expect(await one(text)).toMatchObject({
      status,
      body: {
        code: expect.stringMatching(/^(bad_request|not_found)$/),
        message: expect.stringMatching(/\w/),
      },
    })
  })

  test('a request for an upgrade is answered without one', async () => {
    const upgrade = `${host}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`
    expect((await one(`GET /livez HTTP/1.1\r\n${upgrade}`)).status).toBe(200)
  })
})

test('an empty response has a Content-Length of 0', async () => {
  await api.createDag('empty')
  const type = `Content-Type: application/json\r\nContent-Length: 17\r\n${close}{"suspend": true}`
  const { status, headers } = await one(`POST /api/v2/dags/empty/suspend HTTP/1.1\r\n${host}${type}`)
  expect({ status, length: headers['content-length'] }).toEqual({ status: 200, length: '0' })
})

describe('the host of a request', () => {
  test.each([
    ['no host', livez('/livez', '')],
    ['an empty one', livez('/livez', 'Host:\r\n')],
    ['two', livez('/livez', `${host}Host: evil.example\r\n`)],
    ['the same one twice', livez('/livez', host + host)],
    ['two in one', livez('/livez', 'Host: localhost, evil.example\r\n')],
    ['one with user info', livez('/livez', 'Host: localhost@evil.example\r\n')],
    ['one with a zone', livez('/livez', 'Host: [fe80::1%25lo]\r\n')],
    ['another form of an address', livez('/livez', 'Host: [::ffff:127.0.0.1]\r\n')],
    ['one with a path', livez('/livez', 'Host: localhost/x\r\n')],
    ['one with a blank', livez('/livez', 'Host: local host\r\n')],
    ['a target for another host', livez('http://evil.example/livez', host)],
    ['a target for another port', livez('http://localhost:81/livez', host)],
    ['a target with user info', livez('http://localhost@evil.example/livez', host)],
  ])('%s is a bad request, even for a probe', async (_what, text) => {
    expect(await one(text)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })

  test('a target with the same host is served', async () => {
    expect((await one(livez('http://localhost/livez', host))).status).toBe(200)
  })

  test('an HTTP/1.0 client without a host gets only the probes unless it has credentials', async () => {
    expect((await one('GET /livez HTTP/1.0\r\n\r\n')).status).toBe(200)
    expect((await one('GET /api/v2/dags HTTP/1.0\r\n\r\n')).status).toBe(403)
  })

  test.each(['evil.example', 'localhost.evil.example', '169.254.169.254', '[fe80::1]'])(
    '%s is forbidden without credentials',
    async (name) => {
      const { status, body } = await one(livez('/api/v2/dags', `Host: ${name}\r\n`))
      expect([status, body?.code, body?.message]).toEqual([403, 'forbidden', expect.stringContaining(name)])
    },
  )

  test.each(['LOCALHOST:1', 'localhost.', '127.0.0.1:8080', '[::1]:8080', 'a.localhost'])(
    '%s is answered',
    async (name) => {
      expect((await one(livez('/api/v2/dags', `Host: ${name}\r\n`))).status).toBe(200)
    },
  )
})

describe('the path of a request', () => {
  test.each([
    '/api/v2/dags/%2e%2e/dags',
    '/api/v2/dags/%2E%2E',
    '/api/v2/dags/.%2e/dags',
    '/api/v2/dags/../dags',
    '/api/v2/dags/./x',
    '/api/v2/dags/%252e%252e/x',
    '/api/v2/dags/%25252e%25252e/x',
    '/api/v2/dags/..%2fx',
    '/api/v2/dags/a%2Fb',
    '/api/v2/dags/a%252fb',
    '/api/v2/dags/..%5cx',
    '/api/v2/dags\\x',
    '/api/v2/dags/a%00',
    '/api/v2/dags/%c0%ae%c0%ae',
    '/api/v2/dags/%zz/%2e%2e/x',
    '/nowhere/%c0/%2e%2e',
    '/livez/%2e%2e/livez',
    '/api/docs/%2e%2e/docs',
    'http://localhost/api/v2/dags/%2e%2e/x',
    '/api/v2/dag-runs/a/b/steps/%2e%2e/log',
    '/api/v2/dag-runs/a/b/steps/x%2f..%2fy/log',
  ])('%s is a bad request', async (target) => {
    expect(await one(livez(target, host))).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })

  test.each(['/api/v2/dag-runs/a/b/steps/x%2Fy%5Cz/log', '/api/v2/dag-runs/a/b/steps/100%25/log'])(
    'step names may contain characters that other names may not: %s',
    async (target) => {
      expect((await one(livez(target, host))).body?.message).toBe('run of a "b" not found')
    },
  )

  test('dots in a query are data', async () => {
    expect((await one(livez('/api/v2/dags?name=../%2e%2e', host))).status).toBe(200)
  })
})

describe('requests that a proxy may read as two', () => {
  const length = (count: number): string => `Content-Length: ${count}\r\n`
  const chunked = 'Transfer-Encoding: chunked\r\n'
  test.each([
    ['two lengths', length(5) + length(6)],
    ['a length and chunks', length(5) + chunked],
    ['chunks and a length', chunked + length(5)],
    ['an unknown encoding', 'Transfer-Encoding: xchunked\r\n'],
    ['chunks twice', 'Transfer-Encoding: chunked, identity\r\n'],
    ['a blank before the colon', 'Content-Length : 5\r\n'],
    ['a length with a sign', 'Content-Length: +5\r\n'],
    ['a folded header', 'X: a\r\n b\r\n Content-Length: 5\r\n'],
  ])('a request with %s is refused, and nothing after it is read', async (_what, headers) => {
    const hidden = `0\r\n\r\nGET /livez HTTP/1.1\r\n${host}${close}`
    const answers = await sendRaw(served.url, `POST /api/v2/dags HTTP/1.1\r\n${host}${headers}\r\n${hidden}`)
    expect(answers.map(({ status }) => status)).toEqual([400])
  })

  test('requests sent in one go are answered one by one, up to the first faulty one', async () => {
    const good = `GET /livez HTTP/1.1\r\n${host}\r\n`
    const answers = await sendRaw(served.url, `${good}${good}GET /livez HTTP/1.1\r\n\r\n${good}`)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400])
  })

  test('a malformed request is answered after the requests before it', async () => {
    const good = `GET /api/v2/dags HTTP/1.1\r\n${host}\r\n`
    const answers = await sendRaw(served.url, `${good}${good}GRAB / HTTP/1.1\r\n\r\n`)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400])
  })
})
