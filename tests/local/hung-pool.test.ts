import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataFolder, processesOn, startServer, type Server } from '#tests/support/server.ts'
import { until } from '#tests/support/until.ts'

const preload = new URL('../support/hang-pool.mjs', import.meta.url).href

const runnerOf = (folder: string): number | undefined => {
  const found = processesOn(folder).find((line) => line.includes('bundled.mjs runner'))
  return found === undefined ? undefined : Number.parseInt(found, 10)
}

/** A server whose runner has a thread pool in which every thread hangs. */
async function withHungRunner(folder: string): Promise<{ server: Server; runner: number }> {
  const fifo = join(folder, 'fifo')
  const server = await startServer(folder, {
    NODE_OPTIONS: `--import=${preload}`,
    HANG_POOL: fifo,
    MILLRACE_RUNNER_GRACE_S: '1',
  })
  await until('the runner claims', () => server.output().includes('the runner claims runs'))
  const runner = await until('the runner is there', () => runnerOf(folder))
  process.kill(runner, 'SIGUSR2')
  await until('its pool hangs', () => existsSync(`${fifo}.done`))
  return { server, runner }
}

test('a runner whose threads all hang still exits within its grace period', async () => {
  const data = dataFolder()
  const { server } = await withHungRunner(data.path)
  const begun = performance.now()
  expect(await server.stop()).toBe(0)
  expect(performance.now() - begun).toBeLessThan(10_000)
  expect(server.output()).not.toContain('did not end in time')
  await data.remove()
}, 60_000)

test('a runner whose threads all hang exits when its server is killed', async () => {
  const data = dataFolder()
  const { server } = await withHungRunner(data.path)
  await server.kill()
  await until('the runner is gone', () => runnerOf(data.path) === undefined, { withinMs: 5_000 })
  await data.remove()
}, 60_000)
