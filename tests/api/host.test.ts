import { expect, test } from 'vitest'
import { guardHeaders } from '#lib/api/requests/guard-headers.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const foreign = { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' }
const run = { method: 'POST', path: '/dag-runs', body: { name: 'x', spec: 'steps:\n  - command: echo x\n' } }

test('a service without credentials refuses all calls under a foreign host name', async () => {
  const started = await api.call(run.method, run.path, { headers: foreign, body: run.body })
  expect(started).toMatchObject({
    status: 403,
    body: { code: 'forbidden', message: expect.stringContaining('evil.example') },
  })
  for (const path of ['/dags', '/openapi.json', '/nowhere', '/api/v1/dags', '/api/docs']) {
    const answer = await api.call('GET', path, { headers: foreign })
    expect([path, answer.status, answer.body]).toEqual([
      path,
      403,
      { code: 'forbidden', message: expect.stringContaining('MILLRACE_ALLOWED_HOSTS') },
    ])
  }
  expect((await api.get<{ dagRuns: unknown[] }>('/dag-runs')).body.dagRuns).toEqual([])
})

test('probes answer under every host name, because platforms call them by address', async () => {
  for (const path of ['/api/../livez', '/api/../readyz', '/health', '/api/v1/health']) {
    const answer = await api.call('GET', path, { headers: { host: '10.1.2.3:8080' } })
    expect([path, answer.status]).toEqual([path, 200])
    expect(Object.fromEntries(answer.headers)).toMatchObject(guardHeaders)
  }
})

test('the health of another node is not available under a foreign host name', async () => {
  const answer = await api.call('GET', '/health?remoteNode=berlin', { headers: { host: 'evil.example' } })
  expect(answer.status).toBe(403)
})

test('a service with credentials answers under every host name, unless some are listed', async () => {
  const guarded = api.with({ auth: { basic: undefined, token: 'a-token-of-the-tests' } })
  const headers = { host: 'millrace.example', authorization: 'Bearer a-token-of-the-tests' }
  expect((await guarded.call('GET', '/dags', { headers })).status).toBe(200)
  const listed = guarded.with({
    auth: { basic: undefined, token: 'a-token-of-the-tests' },
    allowedHosts: ['other.example'],
  })
  expect((await listed.call('GET', '/dags', { headers })).status).toBe(403)
})

test('every answer has the security headers, also redirects, probes and errors', async () => {
  for (const path of ['/api/docs', '/api/../livez', '/nowhere', '/dags']) {
    const { headers } = await api.call('GET', path)
    const { 'cache-control': _cache, 'content-security-policy': _policy, ...always } = guardHeaders
    expect(Object.fromEntries(headers), path).toMatchObject(always)
    expect(headers.get('content-security-policy'), path).toContain("default-src 'none'")
    expect(headers.get('cache-control'), path).not.toBeNull()
  }
})
