import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('file', 'name: own\nsteps:\n  - name: work\n    command: echo 1\n')

describe('200', () => {
  test('a run is found by its file, even when the DAG has another name', async () => {
    const runId = await api.start('file')
    const answer = await api.get(`/dags/file/dag-runs/${runId}`)
    expect(answer.body).toMatchObject({
      dagRun: { dagRunId: runId, name: 'own', nodes: [{ step: { name: 'work' } }] },
    })
    expect((await api.get('/dags/file/dag-runs/latest')).body).toMatchObject({ dagRun: { dagRunId: runId } })
  })
})

describe('400 bad_request', () => {
  test('an id that no run can have', async () => {
    expect((await api.get('/dags/file/dag-runs/a%20b')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown run, an unknown file, a run of another DAG', async () => {
    await api.createDag('other')
    const foreign = await api.start('other')
    for (const path of [
      '/dags/file/dag-runs/zzz',
      '/dags/nothing/dag-runs/latest',
      `/dags/file/dag-runs/${foreign}`,
    ]) {
      expect(await api.get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })
})
