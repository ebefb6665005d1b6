import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { attempt, dockerHost, image, reachEngine } from './engine.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const docker = await reachEngine()
const servers: Server[] = []
const sockets = new Set<Socket>()

/** Forwards a network connection to the engine. */
function forward(socket: Socket): void {
  const engine = connect(dockerHost.replace('unix://', ''))
  for (const end of [socket, engine]) {
    sockets.add(end)
    end.on('error', () => undefined).on('close', () => sockets.delete(end))
  }
  socket.pipe(engine).pipe(socket)
}

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

/** A folder for DOCKER_CERT_PATH: one self-signed certificate serves both sides. */
function makeCertificates(): string {
  const folder = temporaryFolder('docker-test')
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  const command = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  execFileSync('openssl', [...command, ...names, ...files], { stdio: 'ignore' })
  execFileSync('cp', [join(folder, 'cert.pem'), join(folder, 'ca.pem')])
  return folder
}

describe.skipIf(docker === undefined || !dockerHost.startsWith('unix://'))(
  'an engine over the network',
  () => {
    afterEach(async () => {
      // An attempt closes all its connections before it ends.
      await expect.poll(() => sockets.size).toBe(0)
      await Promise.all(
        servers.splice(0).map(
          (server) =>
            new Promise((resolve) => {
              server.close(resolve)
            }),
        ),
      )
    })

    test('is reached over TCP', async () => {
      const port = await listen(createServer(forward))
      const env = { DOCKER_HOST: `tcp://127.0.0.1:${port}` }
      const { outcome, stdout } = attempt({ image }, ['echo one', 'echo two'], { env })
      expect(await outcome).toEqual({ exitCode: 0, error: '' })
      expect(stdout()).toBe('one\ntwo\n')
    })

    test('is authenticated by its certificate, and checks ours', async () => {
      const folder = makeCertificates()
      const read = (name: string): Buffer => readFileSync(join(folder, name))
      const identity = { cert: read('cert.pem'), key: read('key.pem'), ca: read('ca.pem') }
      const port = await listen(
        createTlsServer({ ...identity, requestCert: true, rejectUnauthorized: true }, forward),
      )
      const env = { DOCKER_HOST: `tcp://127.0.0.1:${port}`, DOCKER_CERT_PATH: folder }
      const { outcome, stdout } = attempt({ image }, ['echo one', 'echo two'], { env })
      expect(await outcome).toEqual({ exitCode: 0, error: '' })
      expect(stdout()).toBe('one\ntwo\n')
      const other = attempt({ image }, ['true'], { env: { ...env, DOCKER_CERT_PATH: makeCertificates() } })
      expect((await other.outcome).error).toMatch(/certificate/)
    })

    test('fails the step in one sentence if the connection is lost', async () => {
      // Cut only once the step waits for the exit: a lost output stream alone looks like a finished one.
      const waits = Promise.withResolvers<void>()
      const watched = (socket: Socket): void => {
        socket.on('data', (bytes) => {
          if (/^POST \S+\/wait/.test(bytes.toString('latin1'))) waits.resolve()
        })
        forward(socket)
      }
      const port = await listen(createServer(watched))
      const env = { DOCKER_HOST: `tcp://127.0.0.1:${port}` }
      const { outcome, printed } = attempt({ image }, ["sh -c 'echo ready; sleep 3600'"], { env })
      await Promise.all([printed('ready'), waits.promise])
      for (const socket of sockets) socket.destroy()
      expect((await outcome).error).toMatch(/^the connection to the container engine at tcp:.* was lost/)
    })

    test('is reported if nothing listens at its address', async () => {
      const server = createServer()
      const port = await listen(server)
      server.close()
      const env = { DOCKER_HOST: `tcp://127.0.0.1:${port}` }
      expect(await attempt({ image }, ['true'], { env }).outcome).toEqual({
        exitCode: 1,
        error: expect.stringMatching(/^no container engine answers at tcp:/),
      })
    })
  },
)
