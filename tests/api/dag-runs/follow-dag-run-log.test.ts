import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('job')
const path = (run: string) => `/dag-runs/job/${run}/log/stream`

describe('200', () => {
  test('lines as they are written, and the end', async () => {
    const run = await api.start('job')
    await api.claim()
    await api.writeLog(run, '', 'run', 'begun\n')
    const events = await api.follow(path(run))
    expect(await events.next()).toMatchObject({ event: 'lines', data: { lines: ['begun'] } })
    await api.finish(run, 'success', { work: 'success' })
    expect(await events.rest()).toMatchObject([{ event: 'end' }])
  })
})

describe('204', () => {
  test('a client that has read all of a finished run need not reconnect', async () => {
    const run = await api.start('job')
    await api.finish(run, 'success', { work: 'success' })
    const headers = { 'last-event-id': '1-0' }
    expect((await api.call('GET', path(run), { headers })).status).toBe(204)
  })
})

describe('400 bad_request', () => {
  test.each(['x', '1', '-1-2', '1-99999999999999999'])('Last-Event-ID: %s', async (id) => {
    const run = await api.start('job')
    expect(await api.call('GET', path(run), { headers: { 'last-event-id': id } })).toMatchObject({
      status: 400,
      body: { code: 'bad_request', message: `Last-Event-ID: must be the id of an event, got "${id}"` },
    })
  })
})

describe('404 not_found', () => {
  test('an unknown run', async () => {
    expect(await api.get(path('none'))).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})
