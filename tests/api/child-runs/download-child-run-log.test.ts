import { describe, expect, test } from 'vitest'
import { parentAndChild } from '#tests/support/parent-and-child.ts'

const { api, child, unknown } = await parentAndChild()

describe('200', () => {
  test('every byte, as a file', async () => {
    const answer = await api.open(`${child}/log/raw`)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="kid-k1-run.log"`)
    expect(await answer.text()).toBe('begun\nended\n')
  })
})

describe('400 bad_request', () => {
  test('an attempt that never happened', async () => {
    expect((await api.get(`${child}/log/raw?attempt=2`)).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('a run or step that is unknown', async () => {
    expect((await api.get(`${unknown}/log/raw`)).status).toBe(404)
  })
})
