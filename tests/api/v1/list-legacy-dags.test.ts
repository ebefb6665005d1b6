import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('one', 'tags: [red]\nschedule: "0 1 * * *"\nsteps:\n  - echo 1\n')
await api.createDag('two')
await api.start('one', { dagRunId: 'r1' })
type List = { DAGs: { File: string }[]; PageCount: number }
const list = async (query = '') => (await api.get<List>(`/api/v1/dags${query}`)).body

describe('200', () => {
  test('every DAG is listed with its newest run, under the keys of version 1', async () => {
    expect(await list()).toEqual({
      DAGs: [
        {
          File: 'one.yaml',
          DAG: expect.objectContaining({
            Name: 'one',
            Tags: ['red'],
            Schedule: [{ Expression: '0 1 * * *' }],
          }),
          Status: expect.objectContaining({
            RequestId: 'r1',
            Name: 'one',
            Status: 0,
            StatusText: 'not started',
          }),
          Suspended: false,
          Error: '',
        },
        expect.objectContaining({ File: 'two.yaml', Status: null }),
      ],
      Errors: [],
      HasError: false,
      PageCount: 1,
    })
  })

  test('the list has pages and filters', async () => {
    expect(await list('?limit=1&page=2')).toMatchObject({ DAGs: [{ File: 'two.yaml' }], PageCount: 2 })
    expect((await list('?searchName=ON')).DAGs).toHaveLength(1)
    expect((await list('?searchTag=red')).DAGs).toHaveLength(1)
    expect((await list('?searchTag=blue')).DAGs).toEqual([])
  })

  test('remote nodes and paths of version 2 are not offered', async () => {
    expect((await api.get('/api/v1/dags?remoteNode=far')).status).toBe(400)
    expect(await api.get('/api/v1/queues')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await api.get('/api/v1/health')).status).toBe(200)
    const head = await api.call('HEAD', '/api/v1/dags')
    expect(head).toMatchObject({ status: 200, body: '' })
    expect(head.headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('400 bad_request', () => {
  test('a page that is not a number', async () => {
    expect((await api.get('/api/v1/dags?page=x')).status).toBe(400)
  })
})
