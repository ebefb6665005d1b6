import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()

describe('200', () => {
  test('all counts are zero without DAGs', async () => {
    expect((await api.get('/dags/counts')).body).toEqual({
      total: 0,
      byState: {},
      suspended: 0,
      withErrors: 0,
      tags: [],
      groups: [],
    })
  })

  test('DAGs are counted by the state of their newest run, by tag and by group', async () => {
    const steps = 'steps:\n  - echo 1\n'
    await api.createDag('idle', `tags: [red]\n${steps}`)
    await api.createDag('busy', `tags: [red, blue]\ngroup: ops\n${steps}`)
    await api.createDag('later', `group: ops\nmaxActiveRuns: 1\n${steps}`)
    await api.createDag('done', steps)
    await api.finish(await api.start('busy'), 'failed')
    await api.start('busy')
    await api.claim()
    await api.finish(await api.start('done'), 'success')
    await api.enqueue('later')
    await api.post('/dags/idle/suspend', { suspend: true })
    expect((await api.get('/dags/counts')).body).toEqual({
      total: 4,
      byState: { never: 1, queued: 1, running: 1, success: 1 },
      suspended: 1,
      withErrors: 0,
      tags: [
        { name: 'blue', count: 1 },
        { name: 'red', count: 2 },
      ],
      groups: [{ name: 'ops', count: 2 }],
    })
  })
})
