import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
type Answer = { valid: boolean; errors: string[]; dag: { name: string; tags: string[] } }
const validate = async (body: object) => (await api.post<Answer>('/dags/validate', body)).body

describe('200', () => {
  test('a sound spec is valid, its summary is shown, and nothing is stored', async () => {
    const answer = await validate({ spec: 'tags: [probe]\nsteps:\n  - echo a\n', name: 'checked' })
    expect(answer).toMatchObject({ valid: true, errors: [], dag: { name: 'checked', tags: ['probe'] } })
    expect((await api.get('/dags/checked')).status).toBe(404)
  })

  test('faults come with their place', async () => {
    const answer = await validate({ spec: 'steps:\n  - name: a\n    command: echo\n    colour: red\n' })
    expect(answer.valid).toBe(false)
    expect(answer.errors.join()).toMatch(/line 4.*colour/)
  })

  test.each(['steps: [', 'a: b: c', '- 1\n- 2\n', '\u0000', '5'])(
    'text such as %j is not valid, and still answered',
    async (spec) => {
      expect(await validate({ spec })).toMatchObject({ valid: false })
    },
  )
})

describe('400 bad_request', () => {
  test('without a spec there is nothing to check', async () => {
    expect(await api.post('/dags/validate', {})).toMatchObject({
      status: 400,
      body: { message: 'spec: is required' },
    })
  })
})
