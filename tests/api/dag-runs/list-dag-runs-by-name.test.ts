import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('file-name', 'name: own.name\nsteps:\n  - echo 1\n')
type Body = { dagRuns: { dagRunId: string }[] }
const ids = async (path: string) => (await api.get<Body>(path)).body.dagRuns.map((run) => run.dagRunId)

describe('200', () => {
  test('runs are found by the name of the DAG, not of its file', async () => {
    const first = await api.start('file-name')
    const second = await api.start('file-name')
    await api.finish(first, 'success')
    expect(await ids('/dag-runs/own.name')).toEqual([second, first])
    expect(await ids('/dag-runs/own.name?status=4')).toEqual([first])
    expect(await ids('/dag-runs/file-name')).toEqual([])
    expect(await ids('/dag-runs/nothing')).toEqual([])
  })
})

describe('400 bad_request', () => {
  test('a malformed name or filter', async () => {
    expect((await api.get('/dag-runs/a%20b')).status).toBe(400)
    expect((await api.get('/dag-runs/own.name?status=x')).status).toBe(400)
  })
})
