import { describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { revokeApiKey } from '#lib/api-keys/revoke-api-key.ts'
import { limits } from '#lib/core/limits.ts'
import { testApi } from '#tests/support/api.ts'
import { EventReader } from '#tests/support/event-source.ts'

const api = await testApi()
const { db } = api.database
await api.createDag('first')
await api.createDag('second', 'steps:\n  - {name: a, command: echo 1}\n')

/** Reads a list and follows it from there, as a page does. */
async function readAndFollow(list: string, topic: string, query = '') {
  const { headers, body } = await api.get<Record<string, unknown>>(`/${list}?${query}`)
  const tag = headers.get('etag') ?? ''
  const events = await api.follow(`/events?topics=${topic}&${query}`, `${topic}=${tag}`)
  expect(await events.next()).toMatchObject({ event: 'same', data: { topic } })
  return { body, events }
}

describe('200', () => {
  test('a client that has just read the runs gets new and changed ones, and nothing else', async () => {
    const { events } = await readAndFollow('dag-runs', 'runs', 'limit=200')
    const run = await api.start('first')
    expect(await events.next()).toMatchObject({ event: 'run', data: { dagRunId: run, status: 0 } })
    await api.claim()
    expect(await events.next()).toMatchObject({ event: 'run', data: { dagRunId: run, status: 1 } })
    await api.finish(run, 'success', { work: 'success' })
    expect(await events.next()).toMatchObject({ event: 'run', data: { dagRunId: run, status: 4 } })
    await events.close()
  })

  test('a client must read the list again when a run leaves the filter', async () => {
    const run = await api.start('second')
    const { events } = await readAndFollow('dag-runs', 'runs', 'name=second&status=0&limit=5')
    await api.claim()
    expect(await events.next()).toMatchObject({ event: 'reset', data: { topic: 'runs' } })
    await events.close()
    await api.finish(run, 'success', { a: 'success' })
  })

  test('a client gets the row of a DAG whose run has changed', async () => {
    const { events } = await readAndFollow('dags', 'dags', 'perPage=200&runs=20')
    const run = await api.start('second')
    expect(await events.next()).toMatchObject({
      event: 'dag',
      data: { fileName: 'second', latestDAGRun: { dagRunId: run } },
    })
    await api.createDag('third')
    expect(await events.next()).toMatchObject({ event: 'reset', data: { topic: 'dags' } })
    await events.close()
  })

  test('a client gets only the state of the DAG whose newest run has changed', async () => {
    const { events } = await readAndFollow('dag-states', 'states')
    await api.start('first')
    const change = { event: 'dag-state', data: { fileName: 'first', group: '', status: 0 } }
    expect(await events.next()).toMatchObject(change)
    await api.createDag('another')
    expect(await events.next()).toMatchObject({ event: 'reset', data: { topic: 'states' } })
    await api.call('DELETE', '/dags/another')
    await events.close()
  })

  test('a client without a known state must read every list', async () => {
    const events = await api.follow('/events?topics=runs,dags,queues,workers')
    const resets = [await events.next(), await events.next(), await events.next(), await events.next()]
    expect(resets.map((event) => event?.event)).toEqual(['reset', 'reset', 'reset', 'reset'])
    expect(new Set(resets.map((event) => Object(event?.data).topic as string))).toEqual(
      new Set(['runs', 'dags', 'queues', 'workers']),
    )
    await events.close()
  })

  test('the numbers of the overview are those of GET /dags/counts', async () => {
    const events = await api.follow('/events?topics=overview')
    const { body, headers } = await api.get('/dags/counts')
    const counts = await events.next()
    expect(counts).toMatchObject({ event: 'counts', data: body })
    expect(headers.get('etag')).toContain(counts?.id.split('=')[1])
    await events.close()
  })

  test('a client that reconnects gets only new events, from any instance', async () => {
    const events = await api.follow('/events?topics=runs')
    const { id } = (await events.next()) ?? { id: '' }
    await events.close()
    const elsewhere = await api.with({}).follow('/events?topics=runs', id)
    expect(await elsewhere.next()).toMatchObject({ event: 'same', id })
    const run = await api.start('first')
    expect(await elsewhere.next()).toMatchObject({ event: 'run', data: { dagRunId: run } })
    await elsewhere.close()
    const late = await api.with({}).follow('/events?topics=runs', id)
    expect(await late.next()).toMatchObject({ event: 'reset' })
    await late.close()
  })

  test('a stream ends when its caller loses the rights, and when the service shuts down', async () => {
    const closing = new AbortController()
    const auth = { basic: undefined, token: 'the-token-of-the-settings' }
    const guarded = api.with({ auth, closing: closing.signal, isOneInstance: true })
    const made = await createApiKey(db, {
      name: 'k',
      role: 'viewer',
      createdBy: 'test',
      expiresInDays: undefined,
    })
    const open = async (secret: string) =>
      new EventReader(await guarded.open('/events?topics=runs', { authorization: `Bearer ${secret}` }))
    const [byKey, byToken] = [await open(made.key), await open(auth.token)]
    expect((await byKey.next())?.event).toBe('reset')
    expect((await byToken.next())?.event).toBe('reset')
    await revokeApiKey(db, made.apiKey.id)
    expect((await byKey.rest()).at(-1)?.event).toBe('revoked')
    closing.abort()
    expect(await byToken.rest()).toEqual([])
  })
})

describe('400 bad_request', () => {
  test.each(['/events', '/events?topics=', '/events?topics=dags,moon', '/events?topics=runs&status=moon'])(
    'the path %s',
    async (path) => {
      expect(await api.get(path)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    },
  )
})

describe('503 service_unavailable', () => {
  test('a caller with too many streams, with a time to try again', async () => {
    const guarded = api.with({
      auth: { basic: undefined, token: 'the-token-of-the-settings' },
      isOneInstance: true,
    })
    const headers = { authorization: 'Bearer the-token-of-the-settings' }
    const streams = await Promise.all(
      Array.from({ length: limits.eventStreamsPerCallerMax }, () =>
        guarded.open('/events?topics=runs', headers),
      ),
    )
    const refused = await guarded.call('GET', '/events?topics=runs', { headers })
    expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
    expect(refused.headers.get('retry-after')).toBe(String(limits.eventStreamRetrySeconds))
    for (const stream of streams) await stream.body?.cancel()
  })
})
