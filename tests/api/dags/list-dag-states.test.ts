import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()

describe('200', () => {
  test('all DAGs are listed by group, with the status of their newest run', async () => {
    const steps = 'steps:\n  - {name: work, command: a}\n'
    await api.createDag('b-sales', `group: sales\n${steps}`)
    await api.createDag('a-sales', `group: sales\n${steps}`)
    await api.createDag('alone', steps)
    await api.finish(await api.start('b-sales'), 'failed', { work: 'failed' })
    await api.post('/dags/alone/suspend', { suspend: true })
    expect((await api.get('/dag-states')).body).toEqual({
      total: 3,
      groups: [
        { name: '', dags: [{ fileName: 'alone', suspended: true }] },
        { name: 'sales', dags: [{ fileName: 'a-sales' }, { fileName: 'b-sales', status: 2 }] },
      ],
    })
    expect((await api.get('/dag-states?state=failed&q=sal')).body).toMatchObject({
      total: 1,
      groups: [{ name: 'sales', dags: [{ fileName: 'b-sales' }] }],
    })
  })
})

describe('400 bad_request', () => {
  test('an unknown status', async () => {
    expect((await api.get('/dag-states?state=tired')).status).toBe(400)
  })
})
