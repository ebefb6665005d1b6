import { readFileSync, readdirSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dataFolder, processesOn, startServer, type Server } from '#tests/support/server.ts'
import { until } from '#tests/support/until.ts'

interface Details {
  readonly dagRunDetails: {
    readonly status: number
    readonly nodes: {
      readonly step: { readonly name: string }
      readonly status: number
      readonly retryCount: number
    }[]
    readonly onFailure?: { readonly status: number }
    readonly onExit?: { readonly status: number }
  }
}

const finished = new Set([2, 3, 4, 6])

async function details(server: Server, name: string, id: string): Promise<Details['dagRunDetails']> {
  const reply = await server.get(`/dag-runs/${name}/${id}`)
  expect(reply.status).toBe(200)
  return (reply.body as Details).dagRunDetails
}

async function start(server: Server, name: string, body: object = {}): Promise<string> {
  const reply = await server.post(`/dags/${name}/start`, body)
  expect(reply).toMatchObject({ status: 200 })
  return (reply.body as { dagRunId: string }).dagRunId
}

async function ended(server: Server, name: string, id: string): Promise<Details['dagRunDetails']> {
  return await until(
    `run ${id} of ${name} ends`,
    async () => {
      const run = await details(server, name, id)
      return finished.has(run.status) && run
    },
    { withinMs: 60_000 },
  )
}

async function log(server: Server, name: string, id: string, step: string): Promise<string> {
  const reply = await server.get(`/dag-runs/${name}/${id}/steps/${encodeURIComponent(step)}/log`)
  return (reply.body as { content: string }).content
}

describe('the examples', () => {
  const data = dataFolder()
  let server: Server

  beforeAll(async () => {
    server = await startServer(data.path)
  })

  afterAll(async () => {
    expect(await server.stop()).toBe(0)
    await data.remove()
  })

  test('the processes are listed, with their version', async () => {
    const processes = await until('server and runner are listed', async () => {
      const { body } = await server.get('/system')
      const found = (body as { processes: { part: string; version: string }[] }).processes
      return found.length === 2 ? found : undefined
    })
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(processes).toMatchObject([
      { part: 'runner', version, isActive: true },
      { part: 'server', version, isActive: true },
    ])
  })

  test('all examples load on the first start, without faults', async () => {
    const files = readdirSync(new URL('../../local/dags', import.meta.url)).map((name) =>
      name.replace('.yaml', ''),
    )
    expect(files).toHaveLength(5)
    const reply = await server.get('/dags')
    const { dags, errors } = reply.body as {
      dags: { fileName: string; errors: string[] }[]
      errors: string[]
    }
    expect(dags.map((dag) => dag.fileName).toSorted()).toEqual(files.toSorted())
    expect([errors, ...dags.map((dag) => dag.errors)].flat()).toEqual([])
    expect(server.output()).not.toContain('"level":"error"')
  })

  test('hello greets with its parameter', async () => {
    const id = await start(server, 'hello', { params: '{"NAME":"Ada"}' })
    expect(await ended(server, 'hello', id)).toMatchObject({ status: 4 })
    expect(await log(server, 'hello', id, 'greet')).toMatch(/^Hello Ada, it is \d\d:\d\d$/)
  })

  test('shop-report adds up two branches', async () => {
    const id = await start(server, 'shop-report')
    expect(await ended(server, 'shop-report', id)).toMatchObject({ status: 4 })
    expect(await log(server, 'shop-report', id, 'write report')).toBe(
      'sales of today\npieces  48\nmoney   457',
    )
  })

  test('shop-report skips the celebration when the goal is missed', async () => {
    const id = await start(server, 'shop-report', { params: 'GOAL=100' })
    const run = await ended(server, 'shop-report', id)
    expect(run.status).toBe(4)
    expect(run.nodes.map((node) => [node.step.name, node.status])).toContainEqual(['celebrate', 5])
  })

  test('unsteady-service succeeds on its third try', async () => {
    const id = await start(server, 'unsteady-service')
    const run = await ended(server, 'unsteady-service', id)
    expect(run).toMatchObject({ status: 4, onExit: { status: 4 } })
    expect(run.nodes[0]).toMatchObject({ status: 4, retryCount: 2 })
    expect(await log(server, 'unsteady-service', id, 'use the answer')).toBe('got - answered at try 3')
  })

  test('unsteady-service calls its failure handler when it gives up', async () => {
    const id = await start(server, 'unsteady-service', { params: 'FAILURES=9' })
    const run = await ended(server, 'unsteady-service', id)
    expect(run).toMatchObject({ status: 2, onFailure: { status: 4 }, onExit: { status: 4 } })
    expect(await log(server, 'unsteady-service', id, 'onFailure')).toContain(id)
  })

  test('disk-watch measures the disk, and has a schedule', async () => {
    const id = await start(server, 'disk-watch', { params: 'LIMIT=101' })
    const run = await ended(server, 'disk-watch', id)
    expect(run.nodes.map((node) => node.status)).toEqual([4, 4, 5])
    expect(await log(server, 'disk-watch', id, 'say')).toMatch(/^the disk is filled to \d+ %$/)
    expect(await server.get('/dags/disk-watch')).toMatchObject({
      body: { dag: { schedule: [{ expression: 'CRON_TZ=UTC 30 5 * * *' }] } },
    })
  })

  test('harvest runs five children', async () => {
    const id = await start(server, 'harvest')
    expect(await ended(server, 'harvest', id)).toMatchObject({ status: 4 })
    expect(await log(server, 'harvest', id, 'count')).toBe('5 of 5 orchards are picked')
  })

  test('a step finds no secret of the service in the environment of any process', async () => {
    const password = readFileSync(`${data.path}/postgres/password`, 'utf8')
    const search = `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -cF ':${password}@' || true`
    const spec = `steps:\n  - name: look\n    command: ${search}\n`
    expect(await server.post('/dags', { name: 'spy', spec })).toMatchObject({ status: 201 })
    const id = await start(server, 'spy')
    await ended(server, 'spy', id)
    expect(await log(server, 'spy', id, 'look')).toBe('0')
  })
})

describe('the whole server', () => {
  let data: ReturnType<typeof dataFolder>

  beforeEach(() => {
    data = dataFolder()
  })
  afterEach(() => data.remove())

  test('exits on SIGTERM without leaving a process, and has all its data after a restart', async () => {
    const first = await startServer(data.path)
    const id = await start(first, 'hello')
    await ended(first, 'hello', id)
    expect(await first.stop()).toBe(0)
    await until('nothing of the server is left', () => processesOn(data.path).length === 0)
    const second = await startServer(data.path)
    expect(await details(second, 'hello', id)).toMatchObject({ status: 4 })
    expect(await log(second, 'hello', id, 'greet')).toMatch(/^Hello world/)
    expect(await second.stop()).toBe(0)
  })

  test('leaves no process when killed with SIGKILL, and continues the run after a restart', async () => {
    const first = await startServer(data.path)
    const steps = Array.from({ length: 20 }, (_, index) => `  - echo step ${index} >> "$TRACE"; sleep 0.2\n`)
    const trace = `${data.path}/trace`
    const exit = 'handlerOn:\n  exit:\n    command: echo exit >> "$TRACE"\n'
    const spec = `env:\n  - TRACE: ${trace}\nsteps:\n${steps.join('')}${exit}`
    expect(await first.post('/dags', { name: 'long', spec })).toMatchObject({ status: 201 })
    const id = await start(first, 'long')
    await until('some steps are done', () => lines(trace).length >= 4)
    await first.kill()
    await until('nothing of the server is left', () => processesOn(data.path).length === 0)
    const before = lines(trace)
    const second = await startServer(data.path)
    const run = await ended(second, 'long', id)
    expect(finished.has(run.status)).toBe(true)
    expect(lines(trace).filter((line) => line === 'exit')).toHaveLength(1)
    expect(new Set(lines(trace)).size).toBe(lines(trace).length)
    expect(lines(trace).slice(0, before.length)).toEqual(before)
    expect(await second.stop()).toBe(0)
  })

  test('names the setting of a port that is taken', async () => {
    const first = await startServer(data.path)
    const other = dataFolder()
    await expect(startServer(other.path, { MILLRACE_PORT: new URL(first.url).port })).rejects.toThrow(
      'MILLRACE_PORT',
    )
    await other.remove()
    expect(await first.stop()).toBe(0)
  })
})

function lines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1)
  } catch {
    return []
  }
}
