import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('one', `description: ${'long '.repeat(1_000)}\nsteps:\n  - echo 1\n`)
await api.createDag('two')
const runId = await api.start('two')
const paths = ['/dags', '/dags/one', '/dag-runs?limit=5', `/dag-runs/two/${runId}`, '/dags/tags']
const gzip = { 'accept-encoding': 'br;q=1.0, gzip;q=0.8' }

describe('an answer that the caller has already', () => {
  test.each(paths)('is not sent again: %s', async (path) => {
    const first = await api.open(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    const again = await api.open(path, { 'if-none-match': `"other", ${etag}`, ...gzip })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    expect((await api.open(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('is sent when something has changed', async () => {
    const etag = (await api.open(`/dag-runs/two/${runId}`)).headers.get('etag') ?? ''
    await api.finish(runId, 'success')
    expect((await api.open(`/dag-runs/two/${runId}`, { 'if-none-match': etag })).status).toBe(200)
  })

  test('has the version as its ETag for a spec', async () => {
    expect((await api.open('/dags/one/spec')).headers.get('etag')).toBe('"1"')
  })
})

describe('a long answer', () => {
  test('is compressed when the caller accepts gzip', async () => {
    const answer = await api.open('/dags/one', gzip)
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    const text = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()
    expect(JSON.parse(text)).toEqual((await api.get('/dags/one')).body)
  })

  test.each([
    ['the caller accepts no encoding', {}, undefined],
    ['gzip is refused', { 'accept-encoding': 'gzip;q=0, identity' }, undefined],
    ['the caller is on this machine', gzip, '127.0.0.1'],
    ['the caller is on this machine, by IPv6', gzip, '::1'],
  ])('is not compressed when %s', async (_why, headers: Record<string, string>, address) => {
    const request = new Request('http://localhost/api/v2/dags/one', { headers })
    const answer = await api.fetch(request, { address })
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(await answer.json()).toMatchObject({ version: 1 })
  })

  test('is compressed only if it is long', async () => {
    expect((await api.open('/dags/tags', gzip)).headers.get('content-encoding')).toBeNull()
  })
})
