import { afterAll, describe, expect, test } from 'vitest'
import { documents, millrace } from '#tests/support/command-line.ts'
import { dataFolder, startServer } from '#tests/support/server.ts'
import { until } from '#tests/support/until.ts'

const data = dataFolder()
const server = await startServer(data.path, { MILLRACE_LOG_LEVEL: 'silent', MILLRACE_QUEUES: 'heavy=2' })
const ask = (...args: string[]) => millrace(args, { MILLRACE_URL: server.url })
const spec = 'queue: heavy\nsteps:\n  - name: work\n    command: "true"\n'
expect(await server.post('/dags', { name: 'work', spec })).toMatchObject({ status: 201 })

afterAll(async () => {
  await server.stop()
  await data.remove()
})

describe('queues and queue', () => {
  test('a paused queue lists its waiting runs, and starts them when it is resumed', async () => {
    expect(await ask('queue', 'pause', 'heavy')).toEqual({
      code: 0,
      stdout: 'heavy is paused: 0 of 2 slots in use, 0 waiting\n',
      stderr: '',
    })
    const { stdout: id } = await ask('enqueue', 'work')
    const { stdout: listed } = await ask('queues')
    expect(listed).toMatch(/^QUEUE +STATE +USED +WAITING +OLDEST WAITS +STARTED IN 1 H +SET\n/)
    expect(listed).toMatch(/^heavy +paused +0 of 2 +1 +\S+ m?s +0 +paused 20/m)
    const { stdout } = await ask('queues', 'heavy')
    expect(stdout).toContain('the queue heavy was paused at ')
    expect(stdout).toMatch(new RegExp(`^1 +work +${id.trim()} `, 'm'))
    expect(documents((await ask('queues', 'heavy', '--json')).stdout)).toMatchObject([
      { dagRunId: id.trim(), position: 1 },
    ])
    expect((await ask('queue', 'resume', 'heavy')).stdout).toMatch(/^heavy is open: /)
    await until('it has ended', async () => (await ask('status', id.trim())).stdout.includes('finished'))
    expect((await ask('queues', 'heavy')).stdout).toContain('nothing waits')
  })

  test('a limit is set, shown next to that of the settings, and cleared', async () => {
    expect((await ask('queue', 'limit', 'heavy', '5')).stdout).toContain('0 of 5 slots')
    expect((await ask('queues')).stdout).toMatch(/^heavy +open +0 of 5 .*limit set 20.* \(settings: 2\)$/m)
    expect((await ask('queue', 'limit', 'heavy', 'default')).stdout).toContain('0 of 2 slots')
    expect(await ask('queue', 'limit', 'heavy', '0')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('COUNT must be a whole number from 1 to 999999, or default') as string,
    })
  })

  test('an unknown queue is an error', async () => {
    expect(await ask('queue', 'pause', 'hevy')).toMatchObject({
      code: 1,
      stderr: 'millrace queue: queue "hevy" not found\n',
    })
    expect(await ask('queues', 'hevy')).toMatchObject({ code: 1 })
  })
})

describe('runners', () => {
  test('a runner is drained and resumed by a prefix of its id', async () => {
    const { stdout } = await ask('runners', '--json')
    const [{ id } = { id: '' }] = documents<{ id: string }>(stdout)
    expect((await ask('runners', 'drain', id.slice(0, -2))).stdout).toBe(
      `${id} drains: it finishes 0 runs and claims nothing\n`,
    )
    expect((await ask('runners')).stdout).toContain('healthy, draining')
    const { stdout: run } = await ask('start', 'work')
    expect((await ask('status', run.trim())).stdout).toContain('drains and claims nothing')
    expect((await ask('runners', 'resume', id)).stdout).toBe(`${id} claims runs\n`)
    await until('it has ended', async () => (await ask('status', run.trim())).stdout.includes('finished'))
  })

  test('an unknown runner id is refused', async () => {
    expect(await ask('runners', 'drain', 'ghost')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no runner has an id that begins with "ghost"') as string,
    })
  })
})
