import { describe, expect, test } from 'vitest'
import { parentAndChild } from '#tests/support/parent-and-child.ts'

const { api, root, path, child, unknown } = await parentAndChild()

describe('200', () => {
  test('streams its state, each change and its end, like a root run', async () => {
    const events = await api.follow(`${child}/events`)
    expect(await events.next()).toMatchObject({
      event: 'state',
      data: { dagRunId: 'k1', name: 'kid', parentDAGRunId: root, nodes: [{ step: { name: 'inner' } }] },
    })
    await api.finish('k1', 'success', { inner: 'success' })
    const rest = await events.rest()
    expect(rest.map(({ event }) => event)).toEqual(expect.arrayContaining(['step', 'run', 'end']))
    expect(rest.at(-1)).toMatchObject({ event: 'end', data: { status: 4 } })
    const seen = await api.open(`${child}/events`, { 'last-event-id': rest.at(-1)?.id ?? '' })
    expect(seen.status).toBe(204)
  })
})

describe('400 bad_request', () => {
  test('an id that no run can have', async () => {
    expect((await api.get(`${path}/children/a b/events`)).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('a run that is unknown', async () => {
    expect((await api.get(`${unknown}/events`)).status).toBe(404)
  })
})
