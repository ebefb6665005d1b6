import { describe, expect, test } from 'vitest'
import { parentAndChild } from '#tests/support/parent-and-child.ts'

const { api, path } = await parentAndChild()

describe('200', () => {
  test('the lines that match', async () => {
    const answer = await api.open(`${path}/log/search?q=begun`)
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    const [found, end] = (await answer.text()).split('\n')
    expect(JSON.parse(found ?? '')).toMatchObject({ line: 1 })
    expect(JSON.parse(end ?? '')).toMatchObject({ done: true, matches: 1 })
  })
})

describe('400 bad_request', () => {
  test.each(['q=', 'q=(&regex=true', 'q=a&attempt=2'])('the query %s', async (query) => {
    expect((await api.get(`${path}/log/search?${query}`)).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('a run or step that is unknown', async () => {
    expect((await api.get(`/dag-runs/top/none/log/search?q=a`)).status).toBe(404)
  })
})

describe('503 service_unavailable', () => {
  test('a fifth concurrent search', async () => {
    const one = api.with({ isOneInstance: true })
    const search = () => one.open(`${path}/log/search?q=a`)
    const open = await Promise.all([search(), search(), search(), search()])
    expect((await search()).status).toBe(503)
    await Promise.all(open.map((answer) => answer.text()))
    expect((await search()).status).toBe(200)
  })
})
