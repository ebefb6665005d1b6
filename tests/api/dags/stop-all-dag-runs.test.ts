import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
type Run = { dagRun: { status: number } }
const status = async (runId: string) => (await api.get<Run>(`/dag-runs/many/${runId}`)).body.dagRun.status

describe('200', () => {
  test('every active run is stopped, queued and finished runs stay', async () => {
    await api.createDag('many')
    const done = await api.start('many')
    await api.finish(done, 'success')
    const running = await api.start('many')
    await api.claim()
    const fresh = await api.start('many')
    const queued = await api.enqueue('many')
    expect(await api.post('/dags/many/stop-all')).toMatchObject({ status: 200, body: { errors: [] } })
    expect(await status(done)).toBe(4)
    expect(await status(fresh)).toBe(3)
    expect(await status(queued)).toBe(5)
    expect(await api.stopRequested(running)).toBe(true)
    await api.finish(running, 'cancelled')
  })

  test('a DAG without runs is answered without errors', async () => {
    await api.createDag('none')
    expect((await api.post('/dags/none/stop-all')).body).toEqual({ errors: [] })
  })
})

describe('400 bad_request', () => {
  test('a name that no file can have', async () => {
    expect((await api.post('/dags/a%20b/stop-all')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown file', async () => {
    expect(await api.post('/dags/nothing/stop-all')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})
