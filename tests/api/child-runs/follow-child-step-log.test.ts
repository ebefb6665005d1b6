import { describe, expect, test } from 'vitest'
import { parentAndChild } from '#tests/support/parent-and-child.ts'

const { api, child } = await parentAndChild()

describe('200', () => {
  test('its lines, and its end', async () => {
    const events = await api.follow(`${child}/steps/inner/log/stream`)
    expect(await events.next()).toMatchObject({ event: 'lines', data: { lines: ['one', 'two', 'three'] } })
    await api.finish('k1', 'success', { inner: 'success' })
    const rest = await events.rest()
    expect(rest.map(({ event }) => event)).toEqual(['end'])
    const seen = await api.open(`${child}/steps/inner/log/stream`, { 'last-event-id': rest[0]?.id ?? '' })
    expect(seen.status).toBe(204)
  })
})

describe('400 bad_request', () => {
  test.each(['attempt=2', 'position=x'])('the query %s', async (query) => {
    expect((await api.get(`${child}/steps/inner/log/stream?${query}`)).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('a run or step that is unknown', async () => {
    expect((await api.get(`${child}/steps/call/log/stream`)).status).toBe(404)
  })
})
