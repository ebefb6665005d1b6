import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { ownDag } from '#tests/support/own-dag.ts'

const api = await testApi()

describe('201', () => {
  test('without a spec, a DAG with one echo step is created', async () => {
    expect(await api.post('/dags', { name: 'mini' })).toMatchObject({ status: 201, body: { name: 'mini' } })
    const { body } = await api.get<{ spec: string; errors: string[] }>('/dags/mini/spec')
    expect(body.spec).toMatch(/^steps:\n {2}- command: echo /)
    expect(body.errors).toEqual([])
  })

  test('a spec is stored unchanged', async () => {
    const spec = '# a comment\nsteps:\n  - name:   odd\n    command: echo "ü"   # trailing\n\n\n'
    expect((await api.post('/dags', { name: 'kept', spec })).status).toBe(201)
    expect((await api.get('/dags/kept/spec')).body).toMatchObject({ spec })
  })
})

describe('400 bad_request', () => {
  test.each([
    {},
    { name: '' },
    { name: 'two words' },
    { name: 'a/b' },
    { name: '..' },
    { name: 5 },
    { name: 'x'.repeat(41) },
  ])('the body %j', async (body) => {
    const answer = await api.post('/dags', body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    expect(JSON.stringify(answer.body)).toContain('name')
  })

  test('a spec with several faults, which are all reported', async () => {
    const spec = 'bogus: 1\nsteps:\n  - name: a\n    command: echo\n    depends: ghost\n'
    const answer = await api.post<{ details: { faults: string[] } }>('/dags', { name: 'faulty', spec })
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    expect(answer.body.details.faults.join()).toMatch(/bogus[^]*ghost|ghost[^]*bogus/)
    expect((await api.get('/dags/faulty')).status).toBe(404)
  })

  test('a body that is not JSON', async () => {
    const answer = await api.call('POST', '/dags', { raw: '{bad' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })
})

describe('409 already_exists', () => {
  test('a name that is in use, whose DAG stays unchanged', async () => {
    await api.createDag('twice', 'steps:\n  - echo first\n')
    const again = await api.post('/dags', { name: 'twice', spec: 'steps:\n  - echo second\n' })
    expect(again).toMatchObject({ status: 409, body: { code: 'already_exists' } })
    expect((await api.get('/dags/twice/spec')).body).toMatchObject({ spec: 'steps:\n  - echo first\n' })
  })

  test('all but one of several concurrent calls with one name', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => api.post('/dags', { name: 'race' })))
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409])
  })
})

describe('409 read_only', () => {
  test('the name of a file in the folder of DAGs, even one with faults', async () => {
    await ownDag(api.database.db, 'team/owned.yaml', 'has faults')
    expect(await api.post('/dags', { name: 'owned' })).toMatchObject({
      status: 409,
      body: {
        code: 'read_only',
        message:
          'DAG "owned" is the file team/owned.yaml of the folder of DAGs (MILLRACE_DAGS_DIR): change it there',
        details: { file: 'team/owned.yaml' },
      },
    })
  })
})
