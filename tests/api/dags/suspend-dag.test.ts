import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const suspended = async (name: string) =>
  (await api.get<{ suspended: boolean }>(`/dags/${name}`)).body.suspended

describe('200', () => {
  test('a DAG is suspended and resumed, and resumed without the field', async () => {
    await api.createDag('pause')
    expect(await api.post('/dags/pause/suspend', { suspend: true })).toMatchObject({ status: 200, body: '' })
    expect(await suspended('pause')).toBe(true)
    expect((await api.get('/dags?name=pause')).body).toMatchObject({ dags: [{ suspended: true }] })
    await api.post('/dags/pause/suspend', { suspend: false })
    expect(await suspended('pause')).toBe(false)
    await api.post('/dags/pause/suspend', { suspend: true })
    await api.post('/dags/pause/suspend', {})
    expect(await suspended('pause')).toBe(false)
  })

  test('a file with faults can be suspended', async () => {
    await api.createDag('broken')
    await api.storeSpec('broken', 'steps: [')
    expect((await api.post('/dags/broken/suspend', { suspend: true })).status).toBe(200)
  })
})

describe('400 bad_request', () => {
  test('a value that is neither true nor false', async () => {
    await api.createDag('odd')
    expect(await api.post('/dags/odd/suspend', { suspend: 'yes' })).toMatchObject({ status: 400 })
  })
})

describe('404 not_found', () => {
  test('an unknown file', async () => {
    expect(await api.post('/dags/nothing/suspend', { suspend: true })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})
