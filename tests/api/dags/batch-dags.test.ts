import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const spec = 'params: A=1\nsteps:\n  - name: work\n    command: echo $A\n'
for (const name of ['one', 'two', 'batch']) await api.createDag(name, spec)
await api.createDag('named', `name: one\n${spec}`)

interface Answer {
  readonly results: readonly { fileName: string; status: number; code?: string; dagRunId?: string }[]
  readonly done: number
  readonly failed: number
}
const batch = (body: object, headers: Record<string, string> = {}) =>
  api.call<Answer>('POST', '/dags/batch', { body, headers })
const suspended = async () =>
  (await api.get<{ dags: { fileName: string; suspended: boolean }[] }>('/dags')).body.dags
    .filter((dag) => dag.suspended)
    .map(({ fileName }) => fileName)

describe('200', () => {
  test.each(['start', 'enqueue'])(
    '%s creates a run of each DAG with the params of the call',
    async (action) => {
      const { body } = await batch({ action, files: ['one', 'nothing', 'two'], params: 'A=7' })
      expect(body).toMatchObject({
        results: [
          { fileName: 'one', status: 200 },
          { fileName: 'nothing', status: 404, code: 'not_found' },
          { fileName: 'two', status: 200 },
        ],
        done: 2,
        failed: 1,
      })
      const ids = body.results.flatMap(({ dagRunId }) => dagRunId ?? [])
      expect(ids).toHaveLength(2)
      const { dagRuns } = (await api.get<{ dagRuns: { dagRunId: string; params: string }[] }>('/dag-runs'))
        .body
      for (const id of ids) expect(dagRuns.find((run) => run.dagRunId === id)?.params).toContain('7')
    },
  )

  test('with an idempotency key each DAG starts once, even if two files have one name', async () => {
    const files = ['one', 'named']
    const start = async () =>
      (await batch({ action: 'start', files }, { 'idempotency-key': 'k' })).body.results.map(
        ({ dagRunId }) => dagRunId,
      )
    const first = await start()
    expect(new Set(first).size).toBe(2)
    expect(await start()).toEqual(first)
  })

  test('schedules are suspended and resumed', async () => {
    expect((await batch({ action: 'suspend', files: ['one', 'two'] })).body).toMatchObject({
      done: 2,
      failed: 0,
    })
    expect(await suspended()).toEqual(['one', 'two'])
    expect((await batch({ action: 'resume', files: ['two'] })).body.done).toBe(1)
    expect(await suspended()).toEqual(['one'])
  })

  test('a DAG may still be called batch', async () => {
    expect((await api.get('/dags/batch')).status).toBe(200)
    expect((await batch({ action: 'start', files: ['batch'] })).body.done).toBe(1)
  })
})

describe('400 bad_request', () => {
  test.each([
    { action: 'delete', files: ['one'] },
    { action: 'start' },
    { action: 'start', files: [] },
    { action: 'start', files: ['one', 'one'] },
    { action: 'start', files: ['a/b'] },
    { action: 'start', files: 'one' },
  ])('the body %j', async (body) => {
    expect(await batch(body)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })
})
