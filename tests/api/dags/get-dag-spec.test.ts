import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { ownDag } from '#tests/support/own-dag.ts'

const api = await testApi()

describe('200', () => {
  test('the text is returned as it was sent, with an ETag for If-Match', async () => {
    const spec = 'group: g\nsteps:\n  - echo "ü" # end\n'
    await api.createDag('text', spec)
    const answer = await api.get('/dags/text/spec')
    expect(answer.body).toMatchObject({
      dag: { name: 'text', group: 'g', steps: [{ command: 'echo' }] },
      spec,
      errors: [],
    })
    expect(answer.headers.get('etag')).toBe('"1"')
    expect(answer.body).not.toHaveProperty('readOnly')
  })

  test('a file in the folder of DAGs says why it cannot be saved', async () => {
    await api.createDag('owned', 'steps: [echo]\n')
    await ownDag(api.database.db, 'nightly/owned.yaml')
    const { body } = await api.get<{ readOnly: string }>('/dags/owned/spec')
    expect(body.readOnly).toMatch(/nightly\/owned\.yaml.*change it there/)
  })
})

describe('400 bad_request', () => {
  test('a name that no file can have', async () => {
    expect((await api.get('/dags/no.pe/spec')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown file', async () => {
    expect(await api.get('/dags/nothing/spec')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})
