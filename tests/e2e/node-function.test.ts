import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildBundles, startBundle } from '#tests/support/built.ts'
import { testDatabase } from '#tests/support/database.ts'

const database = await testDatabase()
const { dist, empty } = buildBundles('node-api')
const platform = new URL('../support/serve-function.mjs', import.meta.url).pathname

test('the API works as a Node function of request and response', async () => {
  const settings = {
    DATABASE_URL: database.url,
    MILLRACE_AUTH_TOKEN: 'a-token-of-the-tests',
    MILLRACE_LOG_LEVEL: 'silent',
  }
  const args = [join(dist, 'node-api/index.mjs')]
  const served = startBundle(platform, settings, { args, cwd: empty })
  const url = await served.says(/listens on (http:\S+)/)
  const health = await fetch(`${url}/api/v2/health`)
  expect([health.status, await health.json()]).toMatchObject([200, { status: 'healthy' }])
  expect((await fetch(`${url}/api/v2/dags`)).status).toBe(401)
  await served.stop()
})
