import { describe, expect, test } from 'vitest'
import { parentAndChild } from '#tests/support/parent-and-child.ts'

const { api, root, path } = await parentAndChild()

describe('200', () => {
  test('every byte, as a file', async () => {
    const answer = await api.open(`${path}/log/raw`)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="top-${root}-run.log"`)
    expect(await answer.text()).toBe('the root has begun\n')
  })
})

describe('400 bad_request', () => {
  test('an attempt that never happened', async () => {
    expect((await api.get(`${path}/log/raw?attempt=2`)).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('a run or step that is unknown', async () => {
    expect((await api.get(`/dag-runs/top/none/log/raw`)).status).toBe(404)
  })
})
