import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const spec = `description: keeps the garden
group: outdoors
tags: [water, Green]
params: "ZONE=north AMOUNT=5"
env:
  - CAN: big
delaySec: 2
histRetentionDays: 12
maxActiveRuns: 3
maxActiveSteps: 2
preconditions:
  - condition: "\`echo dry\`"
    expected: "dry"
handlerOn:
  failure:
    command: echo failed
  exit:
    command: echo over
steps:
  - name: fetch
    id: f
    command: echo "fetching it" 'now'
    output: WATER
  - name: pour
    command: echo pouring
    dir: /
    mailOnError: true
    repeatPolicy: {repeat: true, intervalSec: 7, limit: 2}
    preconditions:
      - condition: "\${WATER}"
        expected: "re:fetch"
  - name: call
    run: helper
    params: "SIDE=left"
---
name: helper
steps:
  - name: inner
    command: echo inner
`

describe('200', () => {
  test('the details hold params, version and the next starts for forms and headings', async () => {
    await api.createDag(
      'form',
      `schedule: "0 3 * * *"
params:
  - one
  - {name: SIZE, type: integer, default: 3, minimum: 1}
steps:
  - echo 1
`,
    )
    const { body } = await api.get<{ nextRuns: string[] }>('/dags/form')
    expect(body).toMatchObject({
      paramDefs: [
        { position: 1, default: 'one' },
        { name: 'SIZE', default: '3' },
      ],
      paramsSchema: { properties: { SIZE: { type: 'integer', minimum: 1 } } },
      version: 1,
      updatedAt: expect.stringMatching(/^20.*Z$/) as string,
    })
    expect(body.nextRuns).toHaveLength(5)
    expect(body.nextRuns[0]).toMatch(/T03:00:00Z$/)
    await api.post('/dags/form/suspend', { suspend: true })
    expect((await api.get('/dags/form')).body).toMatchObject({ nextRuns: [] })
  })

  test('the details hold what the document lists', async () => {
    await api.createDag('garden', spec)
    const { body } = await api.get<{ dag: { steps: unknown[] } }>('/dags/garden')
    expect(body).toMatchObject({
      dag: {
        name: 'garden',
        group: 'outdoors',
        description: 'keeps the garden',
        tags: ['water', 'green'],
        params: ['ZONE', 'AMOUNT'],
        defaultParams: 'ZONE="north" AMOUNT="5"',
        env: ['CAN=big'],
        logDir: '',
        delay: 2,
        histRetentionDays: 12,
        maxActiveRuns: 3,
        maxActiveSteps: 2,
        preconditions: [{ condition: '`echo dry`', expected: 'dry', error: '' }],
        handlerOn: { failure: { name: 'onFailure', command: 'echo' }, exit: { name: 'onExit' } },
      },
      localDags: [{ name: 'helper', dag: { name: 'helper', steps: [{ name: 'inner' }] }, errors: [] }],
      suspended: false,
      errors: [],
    })
    expect(body).toMatchObject({
      latestDAGRun: {
        dagRunId: '',
        status: 0,
        log: '',
        nodes: [{ status: 0 }, { status: 0 }, { status: 0, step: { call: 'helper' } }],
      },
    })
    expect(body.dag.steps[0]).toEqual({
      name: 'fetch',
      id: 'f',
      description: '',
      dir: '',
      command: 'echo',
      args: ['fetching it', 'now'],
      commands: [{ command: 'echo', args: ['fetching it', 'now'] }],
      stdout: '',
      stderr: '',
      output: 'WATER',
      preconditions: [],
      depends: [],
      repeatPolicy: { repeat: false, interval: 0 },
      mailOnError: false,
      run: '',
      params: '',
    })
    expect(body.dag.steps[1]).toMatchObject({
      dir: '/',
      depends: ['fetch'],
      mailOnError: true,
      repeatPolicy: { repeat: true, interval: 7, limit: 2 },
      preconditions: [{ condition: '${WATER}', expected: 're:fetch', error: '' }],
    })
    expect(body.dag.steps[2]).toMatchObject({
      run: 'helper',
      params: 'SIDE=left',
      executorConfig: { type: 'dag' },
    })
  })

  test('the newest run is shown, or else an older active one', async () => {
    await api.createDag('busy')
    const first = await api.start('busy')
    await api.claim()
    const second = await api.start('busy')
    await api.finish(second, 'failed')
    type Body = { latestDAGRun: { dagRunId: string; nodes: unknown[] } }
    const shown = async () => (await api.get<Body>('/dags/busy')).body.latestDAGRun
    expect(await shown()).toMatchObject({ dagRunId: first, status: 1, nodes: [{ status: 0 }] })
    await api.finish(first, 'success')
    expect((await shown()).dagRunId).toBe(second)
  })

  test('a file that has become invalid is shown with its faults', async () => {
    await api.createDag('broken')
    await api.storeSpec('broken', 'steps: [')
    const { body } = await api.get<{ errors: string[] }>('/dags/broken')
    expect(body).toMatchObject({ dag: { name: 'broken', steps: [] } })
    expect(body.errors.length).toBeGreaterThan(0)
  })
})

describe('400 bad_request', () => {
  test('a name that no file can have', async () => {
    expect(await api.get('/dags/no.pe')).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    expect((await api.get('/dags/..%2Fetc')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown file', async () => {
    expect(await api.get('/dags/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})
