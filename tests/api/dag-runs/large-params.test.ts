import { expect, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('job', 'params: A=1\nsteps: [{command: a}]\n')
const large = JSON.stringify({ A: 'é'.repeat(100_000) })
await api.start('job', { dagRunId: 'large', params: large })
await api.start('job', { dagRunId: 'small', params: `A=${'a'.repeat(10_000)}` })

test('a list has the beginning of large params, the details have all of them', async () => {
  const { body } = await api.get<{ dagRuns: { dagRunId: string; params: string }[] }>('/dag-runs?limit=10')
  expect(body.dagRuns).toMatchObject([
    { dagRunId: 'small', params: `A=${'a'.repeat(10_000)}` },
    { dagRunId: 'large', params: `…=${large.slice(0, limits.listedParamsLength)}…` },
  ])
  expect((await api.get('/dag-runs/job/large')).body).toMatchObject({
    dagRun: { params: `A=${'é'.repeat(100_000)}` },
  })
})
