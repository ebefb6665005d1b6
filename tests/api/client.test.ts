import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, expectTypeOf, test } from 'vitest'
import { basePath } from '#functions/api/index.ts'
import { routes } from '#functions/api/routes.ts'
import { clientTypes } from '../../infra/client-types.ts'
import { openApiDocument } from '#lib/api/documents/openapi.ts'
import { createClient, type Answer, type Arguments, type OperationId } from '#lib/client/client.ts'
import { listen } from '#local/listen.ts'
import { testApi } from '#tests/support/api.ts'

const token = 'the-token-of-the-client'
const api = await testApi()
const guarded = api.with({ auth: { basic: undefined, token } })
const served = await listen(guarded.fetch, { host: '127.0.0.1', port: 0, trustedProxies: [] })
afterAll(() => served.close())
const call = createClient({ baseUrl: `${served.url}${basePath}/`, authorization: `Bearer ${token}` })

describe('the generated types', () => {
  const layoutless = (text: string) => text.replaceAll(/[\s;,()|]/g, '').replaceAll('"', "'")
  const document = openApiDocument(routes, { version: '', basePath })

  test('are those of the routes, as `npm run documents` writes them', () => {
    const checkedIn = readFileSync('lib/client/api-types.gen.ts', 'utf8')
    expect(layoutless(checkedIn)).toBe(layoutless(clientTypes(document)))
  })

  test('name every operation once', () => {
    const text = clientTypes(document)
    for (const { operationId } of routes) {
      expect(text.match(new RegExp(`^  ${operationId}: \\{$`, 'gm')), operationId).toHaveLength(1)
    }
  })
})

describe('the client, over HTTP', () => {
  test('distinguishes answers by their status', async () => {
    const made = await call('createDag', { body: { name: 'one' } })
    expect(made).toMatchObject({ status: 201, body: { name: 'one' } })
    const started = await call('startDag', { params: { fileName: 'one' }, body: { dagRunId: 'r1' } })
    if (started.status !== 200) throw new Error(started.body.message)
    expectTypeOf(started.body).toEqualTypeOf<{ dagRunId: string }>()
    expect(started.body.dagRunId).toBe('r1')
    const run = await call('getDagRun', { params: { name: 'one', dagRunId: 'latest' } })
    expect(run.status === 200 && run.body.dagRun.nodes[0]?.step.name).toBeTruthy()
    const none = await call('getDag', { params: { fileName: 'none' } })
    expect(none.status === 404 && none.body.code).toBe('not_found')
  })

  test('handles queries, headers, texts and answers without a body', async () => {
    const list = await call('listDags', { query: { name: 'on', perPage: 1 } })
    expect(list).toMatchObject({ status: 200, body: { pagination: { totalRecords: 1 } } })
    const key = { 'Idempotency-Key': 'once' }
    const first = await call('startDag', { params: { fileName: 'one' }, headers: key })
    const second = await call('startDag', { params: { fileName: 'one' }, headers: key })
    expect(second.body).toEqual(first.body)
    const metrics = await call('getMetrics')
    expect(metrics.status === 200 && metrics.body).toContain('millrace_info')
    const gone = await call('deleteDag', { params: { fileName: 'one' } })
    expect([gone.status, gone.body]).toEqual([204, undefined])
  })

  test('encodes names', async () => {
    const answer = await call('getDag', { params: { fileName: '../dag-runs' } })
    expect(answer.status).toBe(400)
  })

  test('returns a refused credential as an answer', async () => {
    const stranger = createClient({ baseUrl: `${served.url}${basePath}`, authorization: 'Bearer no' })
    const answer = await stranger('listDags')
    expect(answer.status === 401 && answer.body.code).toBe('unauthorized')
  })
})

/** Checked by the compiler, which `npm run check` runs over the tests. */
test('calls that the document does not have do not compile', () => {
  expectTypeOf<'getDag'>().toExtend<OperationId>()
  expectTypeOf<'explode'>().not.toExtend<OperationId>()
  expectTypeOf<[]>().toExtend<Arguments<'listDags'>>()
  expectTypeOf<[]>().not.toExtend<Arguments<'getDag'>>()
  expectTypeOf<[{ params: { fileName: string } }]>().toExtend<Arguments<'startDag'>>()
  expectTypeOf<[{ params: { fileName: string }; body: { params: number } }]>().not.toExtend<
    Arguments<'startDag'>
  >()
  expectTypeOf(call<'getDag'>).returns.resolves.toHaveProperty('status')
  expectTypeOf<Answer<'getDag'>['status']>().not.toExtend<200>()
})
