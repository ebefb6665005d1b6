import { describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const spec = `params: KIND=plain
preconditions:
  - condition: "1"
    expected: "1"
handlerOn:
  exit: {command: echo over}
steps:
  - name: bake
    command: echo "a $KIND pie"
    preconditions:
      - condition: $KIND
        expected: plain
  - name: burn
    command: exit 6
`
await api.createDag('kitchen', spec)
type Node = Record<string, unknown> & { step: { name: string } }
type Run = Record<string, unknown> & { nodes: Node[]; onExit: Node | null }
const get = async (runId: string) =>
  (await api.get<{ dagRun: Run; dagRunDetails: Run }>(`/dag-runs/kitchen/${runId}`)).body

describe('200', () => {
  test('a run that has not started shows all its steps as not started', async () => {
    const { dagRun, dagRunDetails } = await get(await api.start('kitchen'))
    expect(dagRunDetails).toEqual(dagRun)
    expect(dagRun).toMatchObject({
      status: 0,
      statusLabel: 'not started',
      queuedAt: '',
      startedAt: '',
      finishedAt: '',
    })
    expect(dagRun.nodes.map((node) => node.step.name)).toEqual(['bake', 'burn'])
    expect(dagRun.nodes[0]).toMatchObject({
      stdout: '',
      stderr: '',
      startedAt: '',
      finishedAt: '',
      status: 0,
      statusLabel: 'not started',
      retryCount: 0,
      doneCount: 0,
      children: [],
      childrenRepeated: [],
      error: '',
    })
    expect(dagRun['preconditions']).toEqual([{ condition: '1', expected: '1', error: '' }])
    expect(dagRun.onExit).toMatchObject({ status: 0, step: { name: 'onExit' } })
    expect([dagRun['onSuccess'], dagRun['onFailure'], dagRun['onCancel']]).toEqual([null, null, null])
  })

  test('a finished run shows the result of each step, in the order of the file', async () => {
    const runId = await api.start('kitchen', { params: 'KIND=sweet' })
    await api.finish(runId, 'failed', { burn: 'failed', bake: 'success', onExit: 'success' })
    const { dagRun } = await get(runId)
    expect(dagRun).toMatchObject({ status: 2, statusLabel: 'failed', params: 'KIND=sweet' })
    expect(dagRun.nodes.map((node) => [node.step.name, node['status'], node['statusLabel']])).toEqual([
      ['bake', 4, 'finished'],
      ['burn', 2, 'failed'],
    ])
    expect(dagRun.nodes[1]).toMatchObject({ error: 'burn ended badly', doneCount: 1 })
    expect(dagRun.nodes[0]?.['stdout']).toMatch(/\S/)
    expect(dagRun.nodes[0]?.['stdout']).not.toBe(dagRun.nodes[0]?.['stderr'])
    expect(dagRun.onExit).toMatchObject({ status: 4, statusLabel: 'finished' })
  })

  test('each of many concurrent calls is answered with its own run, or with 404', async () => {
    const runIds = await Promise.all(Array.from({ length: 60 }, () => api.start('kitchen')))
    const asked = runIds.flatMap((runId) => [runId, `no-${runId}`])
    const answers = await Promise.all(asked.map(get))
    expect(answers.map((answer) => answer.dagRun?.['dagRunId'])).toEqual(
      runIds.flatMap((runId) => [runId, undefined]),
    )
  })

  test('a retried run lists its attempts, the current one last', async () => {
    const runId = await api.start('kitchen')
    expect((await get(runId)).dagRun).not.toHaveProperty('attempts')
    await api.finish(runId, 'failed', { bake: 'success', burn: 'failed' })
    await api.post(`/dag-runs/kitchen/${runId}/retry`, { dagRunId: runId })
    expect((await get(runId)).dagRun['attempts']).toMatchObject([
      {
        attempt: 1,
        status: 2,
        statusLabel: 'failed',
        startedAt: expect.stringMatching(/Z$/) as string,
        finishedAt: expect.stringMatching(/Z$/) as string,
        durationMs: expect.any(Number) as number,
        log: expect.stringMatching(/1/) as string,
      },
      { attempt: 2, status: 0, startedAt: '', finishedAt: '', error: '', log: '' },
    ])
    await api.finish(runId, 'success', { burn: 'success' })
    const { attempts } = (await get('latest')).dagRun
    expect(attempts).toMatchObject([{ status: 2 }, { attempt: 2, status: 4, error: '' }])
  })

  test('the latest 100 attempts before the current one are listed', async () => {
    const runId = await api.start('kitchen')
    for (let attempt = 1; attempt <= 103; attempt++) {
      await api.finish(runId, 'failed', { burn: 'failed' })
      const { status } = await api.post(`/dag-runs/kitchen/${runId}/retry`, { dagRunId: runId })
      expect(status).toBe(200)
    }
    const attempts = (await get(runId)).dagRun['attempts'] as { attempt: number }[]
    expect(attempts.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 101 }, (_, at) => at + 4))
  })

  test('the details include times in milliseconds, exit codes and the trigger', async () => {
    await api.createDag('bakery', 'queue: oven\nsteps:\n  - {name: a, command: echo 7}\n')
    const runId = await api.start('bakery')
    await api.finish(runId, 'failed', { a: 'failed' })
    const { body } = await api.get<{ dagRun: Run }>(`/dag-runs/bakery/${runId}`)
    const { createdAtMs, startedAtMs, finishedAtMs, durationMs, ...run } = body.dagRun
    expect(run).toMatchObject({ attempt: 1, queue: 'oven', priority: 0, triggerType: 'manual' })
    expect(Number(finishedAtMs) - Number(startedAtMs)).toBe(durationMs)
    expect(Math.abs(Number(createdAtMs) - Date.now())).toBeLessThan(60_000)
    expect(run).not.toHaveProperty('stopRequestedAtMs')
    expect(body.dagRun.nodes[0]).toMatchObject({
      startedAtMs: 1_763_668_731_000,
      finishedAtMs: 1_763_668_732_000,
      exitCode: 1,
    })
  })

  test('why=true adds what the run waits for', async () => {
    const runId = await api.start('kitchen')
    const { body } = await api.get<Record<string, unknown>>(`/dag-runs/kitchen/${runId}?why=true`)
    expect(body['why']).toEqual((await api.get(`/dag-runs/kitchen/${runId}/why`)).body)
    expect(await get(runId)).not.toHaveProperty('why')
  })

  test('latest is the newest run', async () => {
    const runId = await api.start('kitchen')
    expect((await get('latest')).dagRun).toMatchObject({ dagRunId: runId })
  })

  test('a step lists the child runs of its last iteration, and those of earlier ones', async () => {
    await api.createDag(
      'parent',
      'steps:\n  - name: call\n    run: kid\n---\nname: kid\nsteps:\n  - echo kid\n',
    )
    const root = await api.start('parent')
    await api.startChild(root, { dagName: 'kid', runId: 'kid-1', step: 'call', params: 'A=1' })
    await api.startChild(root, { dagName: 'kid', runId: 'kid-2', step: 'call', round: 1 })
    const { body } = await api.get<{ dagRun: Run }>(`/dag-runs/parent/${root}`)
    expect(body.dagRun.nodes[0]).toMatchObject({
      children: [{ dagRunId: 'kid-2', name: 'kid', params: '', status: 0, statusLabel: 'not started' }],
      childrenRepeated: [{ dagRunId: 'kid-1', params: 'A=1' }],
    })
  })
})

describe('400 bad_request', () => {
  test('an id that no run can have', async () => {
    expect((await api.get('/dag-runs/kitchen/a%20b')).status).toBe(400)
  })
})

describe('200: beside the documented fields', () => {
  test('an active run names its runner and the host', async () => {
    const runId = await api.start('kitchen')
    expect((await get(runId)).dagRun).not.toHaveProperty('worker')
    await api.claim()
    await api.heartbeat({})
    expect((await get(runId)).dagRun['worker']).toEqual({ id: 'test-runner', host: 'here' })
    await api.finish(runId, 'success', { bake: 'success', burn: 'success' })
    expect((await get(runId)).dagRun).not.toHaveProperty('worker')
  })

  test('a failed run shows the last success, and whether the definition has changed since', async () => {
    await api.createDag('drift', 'steps:\n  - {name: a, command: one}\n')
    const failing = async () => {
      const runId = await api.start('drift')
      await api.finish(runId, 'failed', { a: 'failed' })
      const { body } = await api.get<{ dagRun: Run }>(`/dag-runs/drift/${runId}`)
      return body.dagRun
    }
    expect(await failing()).not.toHaveProperty('lastSuccess')
    const good = await api.start('drift')
    await api.finish(good, 'success', { a: 'success' })
    const same = await failing()
    expect(same).toMatchObject({ version: 1 })
    expect(same['lastSuccess']).toEqual({ dagRunId: good, specHash: same['specHash'], version: 1 })
    await api.call('PUT', '/dags/drift/spec', { body: { spec: 'steps:\n  - {name: a, command: two}\n' } })
    const changed = await failing()
    expect(changed).toMatchObject({ version: 2 })
    expect(changed['specHash']).not.toBe(same['specHash'])
    expect(changed['lastSuccess']).toEqual(same['lastSuccess'])
  })

  test('a run names the authenticated caller who started it', async () => {
    expect((await get(await api.start('kitchen'))).dagRun).toMatchObject({ trigger: 'api' })
    const { key } = await createApiKey(api.database.db, {
      name: 'night shift',
      role: 'operator',
      createdBy: 'test',
      expiresInDays: undefined,
    })
    const guarded = api.with({ auth: { basic: undefined, token: 'of-the-settings' } })
    const headers = { authorization: `Bearer ${key}` }
    const started = await guarded.call<{ dagRunId: string }>('POST', '/dags/kitchen/start', {
      body: {},
      headers,
    })
    const { dagRun } = await get(started.body.dagRunId)
    expect(dagRun).toMatchObject({ trigger: 'api', triggeredBy: 'key night shift' })
  })

  test('a caller who may not see a secret of the text cannot guess it from the hash', async () => {
    const digest = async (secret: string, role: 'viewer' | 'editor') => {
      await api.createDag(
        `with-${role}-${secret}`,
        `env:\n  - API_TOKEN: ${secret}\nsteps: [{name: a, command: b}]\nname: hidden\n`,
      )
      const runId = await api.start(`with-${role}-${secret}`)
      const { body } = await api
        .with({ auth: { basic: undefined, token: 'of-the-settings' } })
        .call<{ dagRun: Run }>('GET', `/dag-runs/hidden/${runId}`, {
          headers: { authorization: `Bearer ${role === 'editor' ? 'of-the-settings' : viewer}` },
        })
      return body.dagRun['specHash']
    }
    const { key: viewer } = await createApiKey(api.database.db, {
      name: 'viewer',
      role: 'viewer',
      createdBy: 'test',
      expiresInDays: undefined,
    })
    expect(await digest('tango', 'viewer')).toBe(await digest('salsa', 'viewer'))
    expect(await digest('tango', 'editor')).not.toBe(await digest('salsa', 'editor'))
  })
})

describe('404 not_found', () => {
  test.each(['/dag-runs/kitchen/zzz', '/dag-runs/nothing/latest', '/dag-runs/parent/kid-1'])(
    'the path %s',
    async (path) => {
      expect(await api.get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    },
  )

  test('a part of an id', async () => {
    await api.start('kitchen', { dagRunId: 'B1' })
    expect((await api.get('/dag-runs/kitchen/1')).status).toBe(404)
  })
})
