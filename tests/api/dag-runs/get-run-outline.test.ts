import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag(
  'kitchen',
  `type: graph
params: {KIND: a plain pie}
handlerOn:
  exit: {command: echo over}
steps:
  - {name: bake, command: echo pie, output: PIE}
  - {name: burn, command: exit 6, depends: [bake]}
`,
)
const path = (run: string, query = '') => `/dag-runs/kitchen/${run}/outline${query}`

describe('200', () => {
  test('the outline has the head of the run, and for each step what lists and graphs show', async () => {
    const run = await api.start('kitchen')
    await api.finish(run, 'failed', { bake: 'success', burn: 'failed', onExit: 'success' })
    const { body } = await api.get<{ nodes: unknown[]; onExit: unknown; paramsList: unknown }>(path(run))
    const details = await api.get<{ dagRun: object }>(`/dag-runs/kitchen/${run}`)
    const { nodes, onExit, paramsList, ...head } = body
    expect(paramsList).toEqual([{ name: 'KIND', value: 'a plain pie' }])
    expect(details.body.dagRun).toMatchObject(head)
    const times = { startedAtMs: 1_763_668_731_000, finishedAtMs: 1_763_668_732_000, durationMs: 1_000 }
    expect(nodes).toEqual([
      { step: { name: 'bake', depends: [] }, status: 4, ...times, exitCode: 0 },
      {
        step: { name: 'burn', depends: ['bake'] },
        status: 2,
        ...times,
        exitCode: 1,
        error: 'burn ended badly',
      },
    ])
    expect(onExit).toMatchObject({ step: { name: 'onExit' }, status: 4 })
    expect(body).not.toHaveProperty('onSuccess')
  })

  test('a step that has not started has its name, its dependencies and its state', async () => {
    const { body } = await api.get(path(await api.start('kitchen')))
    expect(body).toMatchObject({ nodes: [{}, { step: { name: 'burn', depends: ['bake'] }, status: 0 }] })
  })

  test('an earlier attempt is shown as it ended', async () => {
    const run = await api.start('kitchen')
    await api.finish(run, 'failed', { burn: 'failed' })
    await api.post(`/dag-runs/kitchen/${run}/retry`, { dagRunId: run })
    await api.finish(run, 'success', { burn: 'success' })
    expect((await api.get(path(run, '?attempt=1'))).body).toMatchObject({ attempt: 1, status: 2 })
    expect((await api.get(path(run))).body).toMatchObject({ attempt: 2, status: 4 })
  })

  test('5,000 finished steps take less than 1 MB', async () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `s${at}`)
    const steps = names.map((name, at) => {
      const depends = at < 100 ? '' : `s${at - 100}, s${at - 100 - (at % 100) + ((at + 37) % 100)}`
      return `  - {name: ${name}, command: echo, depends: [${depends}]}`
    })
    await api.createDag('wide', `type: graph\nsteps:\n${steps.join('\n')}\n`)
    const run = await api.start('wide')
    await api.finish(run, 'success', Object.fromEntries(names.map((name) => [name, 'success'])))
    const { body } = await api.get(`/dag-runs/wide/${run}/outline`)
    expect(JSON.stringify(body).length).toBeLessThan(1_000_000)
  })
})

describe('304', () => {
  test('a client that has the answer already is sent no body', async () => {
    const run = await api.start('kitchen')
    const tag = (await api.get(path(run))).headers.get('etag') ?? ''
    const again = await api.call('GET', path(run), { headers: { 'if-none-match': tag } })
    expect(again).toMatchObject({ status: 304, body: '' })
  })
})

describe('400 bad_request', () => {
  test('an attempt that never happened', async () => {
    expect((await api.get(path(await api.start('kitchen'), '?attempt=9'))).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('a run that does not exist', async () => {
    expect((await api.get(path('none'))).status).toBe(404)
  })
})
