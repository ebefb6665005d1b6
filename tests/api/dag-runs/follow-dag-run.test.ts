import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('two', 'steps:\n  - {name: a, command: echo 1}\n  - {name: b, command: echo 2}\n')
const follow = (run: string, lastEventId?: string) => api.follow(`/dag-runs/two/${run}/events`, lastEventId)

describe('200', () => {
  test('the state first, then each change, then the end', async () => {
    const run = await api.start('two')
    const events = await follow(run)
    expect(await events.next()).toMatchObject({ event: 'state', data: { dagRunId: run, status: 0 } })
    await api.claim()
    expect(await events.next()).toMatchObject({ event: 'run', data: { status: 1, statusLabel: 'running' } })
    await api.finish(run, 'failed', { a: 'success', b: 'failed' })
    const rest = await events.rest()
    expect(rest.map(({ event }) => event)).toEqual(['step', 'step', 'run', 'end'])
    expect(rest).toMatchObject([
      { data: { step: { name: 'a' }, status: 4 } },
      { data: { step: { name: 'b' }, status: 2 } },
      { data: { status: 2 } },
      { data: { status: 2, statusLabel: 'failed' } },
    ])
    expect(rest[2]?.data).not.toHaveProperty('nodes')
  })

  test('a client that reconnects gets only new events, from any instance', async () => {
    const run = await api.start('two')
    const events = await follow(run)
    const first = await events.next()
    await events.close()
    const elsewhere = await api.with({}).follow(`/dag-runs/two/latest/events`, first?.id)
    await api.claim()
    expect(await elsewhere.next()).toMatchObject({ data: { status: 1 } })
    await elsewhere.close()
  })

  test('a finished run sends its state and its end', async () => {
    const run = await api.start('two')
    await api.finish(run, 'success', { a: 'success', b: 'success' })
    const events = await (await follow(run)).rest()
    expect(events.map(({ event }) => event)).toEqual(['state', 'end'])
  })

  test('in outline form, a stream that starts from an entity tag repeats nothing', async () => {
    const run = await api.start('two')
    const tag = (await api.get(`/dag-runs/two/${run}/outline`)).headers.get('etag') ?? ''
    const events = await api.follow(`/dag-runs/two/${run}/events?form=outline`, tag)
    expect(await events.next()).toMatchObject({ event: 'same', data: {} })
    await api.claim()
    expect(await events.next()).toMatchObject({ event: 'run', data: { status: 1 } })
    await api.finish(run, 'success', { a: 'success' })
    const [step] = await events.rest()
    expect(step?.data).toMatchObject({ step: { name: 'a', depends: [] }, status: 4 })
    expect(step?.data).not.toHaveProperty('stdout')
  })

  test('streams end when the service shuts down', async () => {
    const closing = new AbortController()
    const events = await api
      .with({ closing: closing.signal })
      .follow(`/dag-runs/two/${await api.start('two')}/events`)
    expect((await events.next())?.event).toBe('state')
    closing.abort()
    expect(await events.rest()).toEqual([])
  })

  test('HEAD opens no stream', async () => {
    const run = await api.start('two')
    const answer = await api.call('HEAD', `/dag-runs/two/${run}/events`)
    expect(answer).toMatchObject({ status: 200, body: '' })
  })
})

describe('204', () => {
  test('a client that has seen the end need not reconnect', async () => {
    const run = await api.start('two')
    await api.finish(run, 'success', { a: 'success' })
    const last = (await (await follow(run)).rest()).at(-1)
    const headers = { 'last-event-id': last?.id ?? '' }
    expect((await api.call('GET', `/dag-runs/two/${run}/events`, { headers })).status).toBe(204)
  })
})

describe('400 bad_request', () => {
  test('a malformed id of a run', async () => {
    expect(await api.get('/dag-runs/two/a.b/events')).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    })
  })
})

describe('404 not_found', () => {
  test('an unknown run', async () => {
    expect(await api.get('/dag-runs/two/none/events')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})
