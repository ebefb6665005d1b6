import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openEngine } from '#lib/executors/docker/client.ts'
import { dockerExecutor } from '#lib/executors/docker/run.ts'
import type { StepOutcome } from '#lib/executors/executor.ts'
import { stepContext, type Watched } from '../step-context.ts'

const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** A fake engine for DOCKER_HOST of a step. */
async function engine(answer: RequestListener): Promise<{ address: string; server: Server }> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

function run(address: string): Watched & { readonly outcome: Promise<StepOutcome> } {
  const watched = stepContext({
    commands: ['true'],
    config: {
      image: 'orchard:1',
      pull: 'missing',
      autoRemove: true,
      container: {},
      host: {},
      network: {},
      exec: { env: [] },
      registryAuths: {},
    },
    env: { DOCKER_HOST: address },
  })
  return { ...watched, outcome: dockerExecutor.run(watched.context) }
}

test.each([200, 500])('an endless answer with status %i ends the step', async (status) => {
  let sent = 0
  let isClosed = false
  const { address } = await engine((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    const piece = Buffer.alloc(65_536, ' ')
    const send = (): void => {
      while (!isClosed) {
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', send)
      }
    }
    response.once('close', () => {
      isClosed = true
    })
    send()
  })
  const { exitCode, error } = await run(address).outcome
  expect(exitCode).toBe(1)
  expect(error).toMatch(/the container engine sent an answer of more than 4 MiB/)
  expect(sent).toBeLessThan(32 * 1_048_576)
})

test('a redirect of the engine is never followed', async () => {
  const called: string[] = []
  const { address: other } = await engine((request, response) => {
    called.push(request.url ?? '')
    response.end('{}')
  })
  for (const location of [other.replace('tcp', 'http'), 'ftp://orchard.test/', 'http://[::g]:99999/', '::']) {
    const { address } = await engine((_, response) => response.writeHead(307, { location }).end())
    expect((await run(address).outcome).exitCode).toBe(1)
  }
  expect(called).toEqual([])
})

test.each(['null', '0', '"text"', '[]', 'no JSON'])('an answer of %s fails only the step', async (text) => {
  const { address } = await engine((_, response) => response.end(text))
  expect((await run(address).outcome).exitCode).not.toBe(0)
})

test('a truncated answer ends the step', async () => {
  const { address } = await engine((_, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('{"Os"', () => response.socket?.destroy())
  })
  expect((await run(address).outcome).error).toMatch(/connection to the container engine at .* was lost/)
})

test('an unrequested upgrade of the connection ends the step', async () => {
  const { address, server } = await engine(() => undefined)
  server.on('connection', (socket: Socket) =>
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'),
    ),
  )
  expect((await run(address).outcome).error).toMatch(/connection to the container engine at .* was lost/)
})

test('a connection that is lost before it is read does not crash the runner', async () => {
  const { address, server } = await engine(() => undefined)
  let peer: Socket | undefined
  server.on('upgrade', (_, socket) => {
    peer = socket as Socket
    socket.write('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
  })
  const { docker } = openEngine({
    env: { DOCKER_HOST: address },
    settings: { httpAllow: [], jqPath: undefined },
  })
  const stream = await docker.getExec('e').start({ hijack: true, stdin: false })
  const closed = new Promise((resolve) => stream.once('close', resolve))
  peer?.resetAndDestroy()
  await closed
})

test('stopping the step ends a request that the engine never answers', async () => {
  const { address, server } = await engine(() => undefined)
  const { outcome, controller } = run(address)
  await new Promise((resolve) => server.once('request', resolve))
  controller.abort('stopped')
  expect((await outcome).exitCode).toBe(143)
})
