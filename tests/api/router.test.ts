import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { createAuthenticator, type AuthSettings } from '#lib/api/auth/auth.ts'
import { createEventStreams } from '#lib/api/streams/event-stream.ts'
import { testDatabase } from '#tests/support/database.ts'
import { Answer, defineRoute, type Route } from '#lib/api/define-route.ts'
import { createRemoteNodes } from '#lib/api/remote-nodes/remote-nodes.ts'
import { createRouter } from '#lib/api/router.ts'
import { createCallerWatch } from '#lib/api/auth/watch-callers.ts'
import type { Services } from '#lib/api/services.ts'
import { notFound, ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'

let acted = 0
const { db } = await testDatabase()
const watchCaller = createCallerWatch(db)
const echo = defineRoute({
  method: 'post',
  path: '/things/{thing}/echo',
  aliases: ['/objects/{thing}/echo'],
  operationId: 'echo',
  summary: 'Echo',
  access: 'run',
  status: 200,
  errors: [],
  params: v.object({ thing: v.string() }),
  query: v.object({ size: v.exactOptional(v.string()) }),
  body: v.object({ text: v.optional(v.string(), 'none'), count: v.exactOptional(v.number()) }),
  response: v.object({ thing: v.string(), text: v.string(), size: v.string() }),
  async handle({ params, query, body }) {
    acted += 1
    return { thing: params.thing, text: body.text, size: query.size ?? '' }
  },
})
const act = defineRoute({
  method: 'get',
  path: '/things/{thing}/act',
  operationId: 'act',
  summary: 'A GET that acts',
  access: 'run',
  status: 200,
  errors: [],
  async handle() {
    acted += 1
  },
})
const thrown: Record<string, () => unknown> = {
  missing: () => notFound('thing', 'x'),
  running: () => new ServiceError('already_running', 'it runs'),
  bug: () => new Error('the secret word'),
  gone: () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  wrapped: () => new Error('query', { cause: Object.assign(new Error('x'), { code: '57P01' }) }),
}
const fail = defineRoute({
  method: 'get',
  path: '/fail/{how}',
  operationId: 'fail',
  summary: 'Fail',
  access: 'read',
  status: 200,
  errors: [],
  errorStatus: { already_running: 400 },
  params: v.object({ how: v.string() }),
  async handle({ params }) {
    throw thrown[params.how]?.()
  },
})
const open = defineRoute({
  method: 'get',
  path: '/open',
  operationId: 'open',
  summary: 'Open',
  access: 'public',
  status: 200,
  errors: [],
  response: v.object({ ok: v.boolean() }),
  async handle() {
    return new Answer({ ok: false }, { status: 503, headers: { 'retry-after': '9' } })
  },
})
const wrong = defineRoute({
  method: 'get',
  path: '/wrong',
  operationId: 'wrong',
  summary: 'Answers more than it says',
  access: 'read',
  status: 200,
  errors: [],
  response: v.object({ ok: v.boolean() }),
  async handle() {
    return { ok: true, secret: 1 }
  },
})
const things: Route = defineRoute({
  method: 'get',
  path: '/things/{thing}',
  operationId: 'things',
  summary: 'Thing',
  access: 'read',
  status: 200,
  errors: [],
  response: v.object({ ok: v.boolean() }),
  async handle() {
    return { ok: true }
  },
})

const lines: Record<string, unknown>[] = []
const makeApp = (auth: AuthSettings = { basic: undefined, token: undefined }) =>
  createRouter([echo, act, fail, open, wrong, things], {
    basePath: '/api/v2',
    services: { db } as Services,
    remoteNodes: createRemoteNodes([]),
    authenticator: createAuthenticator(auth, db),
    checkHost: () => undefined,
    takeLogReader: () => () => undefined,
    streamEvents: createEventStreams(new AbortController().signal, watchCaller),
    watchCaller,
    log: {
      debug: (event) => lines.push({ ...event, level: 'debug' }),
      info: (event) => lines.push({ ...event, level: 'info' }),
      error: (event) => lines.push(event),
    },
    checkResponses: true,
    answerMsMax: 10_000,
  })
const app = makeApp()
const call = async (path: string, init: RequestInit = {}, target = app) => {
  const response = await target.request(`http://localhost/api/v2${path}`, init)
  const text = await response.text()
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {}
  return { status: response.status, headers: response.headers, body }
}
const post = (body: string, headers: Record<string, string> = {}) => ({ method: 'POST', body, headers })
const errorCode = (code: string) => expect.objectContaining({ code })

describe('bodies', () => {
  test('JSON is read whatever the Content-Type says', async () => {
    const answer = await call('/things/a/echo', post('{"text":"hi"}', { 'content-type': 'text/plain' }))
    expect(answer.body).toEqual({ thing: 'a', text: 'hi', size: '' })
  })

  test('an empty body is an empty object, and null is an absent field', async () => {
    expect((await call('/things/a/echo', post(''))).body).toMatchObject({ text: 'none' })
    expect((await call('/things/a/echo', { method: 'POST' })).body).toMatchObject({ text: 'none' })
    expect((await call('/things/a/echo', post('{"text":null,"other":{}}'))).body).toMatchObject({
      text: 'none',
    })
  })

  test.each(['{"text": ', '[1, 2', 'nonsense'])('a body that is not JSON is refused: %s', async (text) => {
    const answer = await call('/things/a/echo', post(text))
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })

  test('every faulty field is named with its value', async () => {
    const answer = await call('/things/a/echo', post('{"text":5,"count":"many"}'))
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      code: 'bad_request',
      message: 'text: must be string, got 5; count: must be number, got "many"',
      details: { fields: ['text', 'count'] },
    })
    expect((await call('/things/a/echo', post('[]'))).body).toMatchObject({
      message: 'the body must be a JSON object',
    })
  })

  test('a body over the limit is refused without being read to its end', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(32))
      },
    })
    const answer = await call('/things/a/echo', { method: 'POST', body, duplex: 'half' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    expect(sent).toBeLessThan(limits.requestBodyBytesMax + 1_000_000)
  })

  test('a body whose sender disconnects is a bad request, not a fault of the service', async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('aborted')),
    })
    const answer = await call('/things/a/echo', { method: 'POST', body, duplex: 'half' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })

  test('names of prototypes as keys change nothing', async () => {
    await call(
      '/things/a/echo',
      post('{"__proto__":{"text":"evil"},"constructor":{"prototype":{"text":"evil"}}}'),
    )
    expect(({} as Record<string, unknown>)['text']).toBeUndefined()
  })
})

describe('paths', () => {
  test('a parameter is decoded once', async () => {
    const name = async (path: string) => (await call(path, post(''))).body
    expect(await name('/things/a%20b%3Fc/echo')).toMatchObject({ thing: 'a b?c' })
    expect(await name('/things/a%253Fb/echo')).toMatchObject({ thing: 'a%3Fb' })
    expect(await name('/objects/x/echo')).toMatchObject({ thing: 'x' })
    expect(await name('/things/x/echo/')).toMatchObject({ thing: 'x' })
  })

  test('an unknown route is 404 and a wrong method 405, both as JSON', async () => {
    expect(await call('/nowhere')).toMatchObject({ status: 404, body: errorCode('not_found') })
    const wrongMethod = await call('/things/a/echo', { method: 'DELETE' })
    expect(wrongMethod).toMatchObject({ status: 405, body: errorCode('bad_request') })
    expect(wrongMethod.headers.get('allow')).toBe('POST')
  })

  test('without a credential, unknown paths and wrong methods are 401 like all others', async () => {
    const guarded = makeApp({ basic: undefined, token: 'the-token-of-this-test' })
    for (const [path, method] of [
      ['/nowhere', 'GET'],
      ['/things/a/echo', 'DELETE'],
      ['/things/a/act', 'HEAD'],
    ] as const) {
      expect((await call(path, { method }, guarded)).status, `${method} ${path}`).toBe(401)
      const headers = { authorization: 'Bearer the-token-of-this-test' }
      expect([404, 405]).toContain((await call(path, { method, headers }, guarded)).status)
    }
  })

  test.each([
    '/things/%252e%252E/echo',
    '/things/a%2f..%2Fb',
    '/things/a%5cb',
    '/things/a%00',
    '/things/%zz%2f..',
  ])('a path that another decoder could read differently is refused: %s', async (path) => {
    expect(await call(path)).toMatchObject({ status: 400, body: errorCode('bad_request') })
  })

  test('only the local node is known', async () => {
    expect((await call('/things/a?remoteNode=local')).status).toBe(200)
    expect((await call('/things/a?remoteNode=')).status).toBe(200)
    expect(await call('/things/a?remoteNode=far')).toMatchObject({
      status: 400,
      body: errorCode('bad_request'),
    })
  })

  test('HEAD reads from routes that only read, and never acts', async () => {
    expect(await call('/things/a', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
    const before = acted
    expect((await call('/things/a/act', { method: 'HEAD' })).status).toBe(405)
    expect(acted).toBe(before)
  })
})

describe('failures', () => {
  test.each([
    ['missing', 404, 'not_found'],
    ['running', 400, 'already_running'],
    ['bug', 500, 'internal_error'],
    ['gone', 503, 'service_unavailable'],
    ['wrapped', 503, 'service_unavailable'],
  ])('%s answers %i %s', async (how, status, code) => {
    expect(await call(`/fail/${how}`)).toMatchObject({ status, body: { code } })
  })

  test('an internal error is logged and not shown', async () => {
    lines.length = 0
    const answer = await call('/fail/bug')
    expect(JSON.stringify(answer.body)).not.toContain('secret')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ error: expect.objectContaining({ message: 'the secret word' }) })
  })

  test('an answer that does not fit its schema is an internal error', async () => {
    expect((await call('/wrong')).status).toBe(500)
  })

  test('a caller is told when to try again when the database is down', async () => {
    expect((await call('/fail/gone')).headers.get('retry-after')).toBe('2')
  })
})

describe('credentials', () => {
  const guarded = makeApp({ basic: { username: 'ann', password: 'pw' }, token: undefined })

  test('are required on all routes but public ones', async () => {
    const answer = await call('/things/a', {}, guarded)
    expect(answer).toMatchObject({ status: 401, body: errorCode('unauthorized') })
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
    expect((await call('/open', { headers: { authorization: 'Basic bad' } }, guarded)).status).toBe(503)
  })

  test('are ignored in the query', async () => {
    expect((await call('/things/a?authorization=Basic%20YW5uOnB3', {}, guarded)).status).toBe(401)
  })
})

describe('pages of other sites', () => {
  test.each([
    ['another origin', { origin: 'http://evil.example', 'content-type': 'application/json' }],
    ['an opaque origin', { origin: 'null', 'content-type': 'application/json' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }],
    ['a fetch from a neighbour', { 'sec-fetch-site': 'same-site', 'content-type': 'application/json' }],
  ])('%s cannot act', async (_what, headers) => {
    const before = acted
    expect(await call('/things/a/echo', post('{}', headers))).toMatchObject({
      status: 403,
      body: errorCode('forbidden'),
    })
    expect((await call('/things/a/act', { headers })).status).toBe(403)
    expect(acted).toBe(before)
  })

  test.each([
    ['another port', 'http://localhost:81'],
    ['another name of this machine', 'http://127.0.0.1'],
    ['a file', 'file://localhost'],
  ])('a page from %s cannot act, even if its browser says that it can', async (_what, origin) => {
    const headers = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    expect((await call('/things/a/echo', post('{}', headers))).status).toBe(403)
    expect((await call('/things/a/act', { headers })).status).toBe(403)
  })

  test.each([
    ['sec-purpose', 'prefetch;prerender'],
    ['sec-purpose', 'prerender'],
    ['purpose', 'prefetch'],
    ['x-moz', 'prefetch'],
  ])('a browser that fetches a link in advance (%s: %s) reads, and does not act', async (name, value) => {
    const before = acted
    expect((await call('/things/a/act', { headers: { [name]: value } })).status).toBe(403)
    expect(acted).toBe(before)
    expect((await call('/things/a', { headers: { [name]: value } })).status).toBe(200)
  })

  test.each([{ 'content-length': '0' }, {}])('the own page can act without a body (%o)', async (length) => {
    const headers = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin', ...length }
    // A server gives every POST a body, whether one was sent or not.
    const body = new ReadableStream({
      start: (controller) => {
        controller.close()
      },
    })
    expect((await call('/things/a/echo', { method: 'POST', headers, body, duplex: 'half' })).status).toBe(200)
  })

  test('the own page can act only with JSON', async () => {
    const own = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }
    expect(
      (await call('/things/a/echo', post('{}', { ...own, 'content-type': 'application/json' }))).status,
    ).toBe(200)
    expect((await call('/things/a/echo', post('{}', { ...own, 'content-type': 'text/plain' }))).status).toBe(
      400,
    )
    expect(
      (
        await call(
          '/things/a/echo',
          post('{}', { origin: 'http://localhost', 'content-type': 'application/json' }),
        )
      ).status,
    ).toBe(200)
  })
})

test('every answer has the guard headers and a request id, even an error', async () => {
  for (const path of ['/things/a', '/nowhere', '/fail/bug']) {
    const { headers } = await call(path, { headers: { 'x-request-id': 'abc-1' } })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-request-id')).toBe('abc-1')
  }
  const { headers } = await call('/things/a', { headers: { 'x-request-id': 'two words' } })
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('each call is one line of the log without its query, at level debug when it only reads', async () => {
  lines.length = 0
  await call('/things/a?token=hush')
  await call('/nowhere')
  expect(lines).toEqual([
    expect.objectContaining({
      event: 'request.answered',
      level: 'debug',
      method: 'GET',
      route: 'GET /things/{thing}',
      status: 200,
    }),
    expect.objectContaining({ event: 'request.answered', level: 'info', status: 404, code: 'not_found' }),
  ])
  expect(JSON.stringify(lines)).not.toContain('hush')
})
