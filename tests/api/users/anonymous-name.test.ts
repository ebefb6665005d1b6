import { expect, test } from 'vitest'
import { createUser } from '#lib/users/create-user.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const guarded = api.with({ auth: { basic: undefined, token: 'the-token-of-the-settings' } })

test('an older user with the name anonymous, which is now reserved, is not an anonymous caller', async () => {
  const password = 'correct horse battery'
  await createUser(api.database.db, { username: 'anonymous', role: 'editor', password })
  const headers = { authorization: `Basic ${Buffer.from(`anonymous:${password}`).toString('base64')}` }
  await guarded.call('POST', '/dags', { headers, body: { name: 'job', spec: 'steps: [{command: a}]' } })
  await guarded.call('POST', '/dags/job/start', { headers, body: { dagRunId: 'r1' } })
  expect((await api.get('/dag-runs/job/r1')).body).toMatchObject({ dagRun: { triggeredBy: 'anonymous' } })
  expect((await api.get('/dags/job/versions')).body).toMatchObject({ versions: [{ savedBy: 'anonymous' }] })
})

test('an anonymous caller is not named', async () => {
  await api.post('/dags/job/start', { dagRunId: 'r2' })
  expect(JSON.stringify((await api.get('/dag-runs/job/r2')).body)).not.toContain('triggeredBy')
})
