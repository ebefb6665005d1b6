import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()

describe('200', () => {
  test('without DAGs there are no tags', async () => {
    expect((await api.get('/dags/tags')).body).toEqual({ tags: [], errors: [] })
  })

  test('tags are listed once, sorted', async () => {
    await api.createDag('one', 'tags: [water, Air]\nsteps:\n  - echo 1\n')
    await api.createDag('two', 'tags: "earth, water"\nsteps:\n  - echo 1\n')
    expect((await api.get('/dags/tags')).body).toEqual({ tags: ['air', 'earth', 'water'], errors: [] })
  })

  test('files with faults are listed as errors', async () => {
    await api.database.db
      .sql`update millrace.dag set problems = array['line 1: nonsense'] where file_name = 'two'`
    expect((await api.get('/dags/tags')).body).toMatchObject({ errors: ['two: line 1: nonsense'] })
  })
})
