import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag(
  'kitchen',
  'handlerOn:\n  exit: {command: echo over}\nsteps:\n  - {name: bake, command: echo pie}\n',
)
const run = await api.start('kitchen')
await api.finish(run, 'success', { bake: 'success', onExit: 'success' })
const get = (step: string, query = '') => api.get(`/dag-runs/kitchen/${run}/steps/${step}${query}`)

describe('200', () => {
  test('a step or handler in the form that its run shows', async () => {
    const { body } = await api.get<{ dagRun: { nodes: unknown[]; onExit: unknown } }>(
      `/dag-runs/kitchen/${run}`,
    )
    expect((await get('bake')).body).toEqual(body.dagRun.nodes[0])
    expect((await get('onExit')).body).toEqual(body.dagRun.onExit)
  })
})

describe('400 bad_request', () => {
  test('an attempt that never happened', async () => {
    expect((await get('bake', '?attempt=9')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('a step or handler that the run does not have', async () => {
    expect((await get('burn')).status).toBe(404)
    expect((await get('onFailure')).status).toBe(404)
    expect((await get('constructor')).status).toBe(404)
  })

  test('a run that does not exist', async () => {
    expect((await api.get('/dag-runs/kitchen/none/steps/bake')).status).toBe(404)
  })
})
