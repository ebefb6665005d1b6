import { describe, expect, test } from 'vitest'
import { parentAndChild } from '#tests/support/parent-and-child.ts'

const { api, child, unknown } = await parentAndChild()

describe('200', () => {
  test('the lines that its steps wrote', async () => {
    await api.finish('k1', 'success', { inner: 'success' })
    const rows = (await (await api.open(`${child}/log/steps?tail=2`)).text()).trimEnd().split('\n')
    expect(rows.map((row) => JSON.parse(row) as unknown)).toMatchObject([
      { step: 'inner', stream: 'stdout', line: 2, text: 'two' },
      { step: 'inner', stream: 'stdout', line: 3, text: 'three' },
      { done: true },
    ])
  })
})

describe('400 bad_request', () => {
  test.each(['from=x', 'tail=0', 'limit=99999'])('the query %s', async (query) => {
    expect((await api.get(`${child}/log/steps?${query}`)).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('a run, or a step, that is unknown', async () => {
    expect((await api.get(`${unknown}/log/steps`)).status).toBe(404)
    expect((await api.get(`${child}/log/steps?step=call`)).status).toBe(404)
  })
})
