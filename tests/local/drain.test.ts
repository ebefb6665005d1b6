import { expect, test } from 'vitest'
import { dataFolder, startServer } from '#tests/support/server.ts'
import { until } from '#tests/support/until.ts'

test('a server that shuts down is first not ready but still answers', async () => {
  const data = dataFolder()
  const server = await startServer(data.path, { MILLRACE_DRAIN_S: '2' })
  const ready = async (): Promise<number> => (await fetch(`${server.url}/readyz`)).status
  expect(await ready()).toBe(200)
  const exit = server.stop()
  await until('it is not ready', async () => (await ready()) === 503)
  expect(await server.get('/dags')).toMatchObject({ status: 200 })
  expect(await exit).toBe(0)
  await data.remove()
})
