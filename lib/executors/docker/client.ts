import { readFileSync, statSync } from 'node:fs'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Socket } from 'node:net'
import { join } from 'node:path'
import Dockerode from 'dockerode'
import type { StepContext } from '../executor.ts'

/** A container engine, for one attempt. */
export interface Engine {
  readonly docker: Dockerode
  /** As in DOCKER_HOST. */
  readonly address: string
  /** Undefined: it is reached over the network, so that its files are not those of this machine. */
  readonly socketPath: string | undefined
  /** The step chose it: then nothing secret of the deployment may be sent there. */
  readonly isOfStep: boolean
}

/** What decides which engine it is. */
export type EnginePlace = Pick<StepContext, 'env' | 'settings'>

/** A connection that carries nothing for hours must not be forgotten by a firewall, milliseconds. */
const keepAliveMs = 30_000

/**
 * Names the engine: DOCKER_HOST of the step, otherwise the deployment's, otherwise the first socket of this machine.
 * @throws Error when DOCKER_HOST cannot be used, or the files of its certificate cannot be read
 */
export function openEngine({ env, settings }: EnginePlace): Engine {
  const own = env['DOCKER_HOST']?.trim()
  const address = own || settings.docker?.host || defaultAddress(env)
  const isOfStep = Boolean(own)
  const [, scheme = 'tcp', rest = ''] = /^(?:([a-z]+):\/\/)?(.*)$/.exec(address) ?? []
  if (scheme === 'unix' || scheme === 'npipe') {
    const socketPath = rest || (scheme === 'unix' ? '/var/run/docker.sock' : '//./pipe/docker_engine')
    const options = { socketPath, protocol: 'http' } as const
    return engineAt({ address, socketPath, isOfStep, agent: new HttpAgent(), options })
  }
  if (!['tcp', 'http', 'https'].includes(scheme)) {
    throw new Error(
      `DOCKER_HOST=${address} cannot be used: it must begin with unix://, tcp://, http:// or https://`,
    )
  }
  const certPath = own ? certFolder(env) : settings.docker?.certPath
  const isSecure = scheme === 'https' || certPath !== undefined
  const url = readUrl(address, `${isSecure ? 'https' : 'http'}://${rest}`)
  const files = certPath === undefined ? {} : certificates(certPath)
  return engineAt({
    address,
    socketPath: undefined,
    isOfStep,
    agent: isSecure ? new HttpsAgent(files) : new HttpAgent(),
    options: {
      protocol: isSecure ? 'https' : 'http',
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port || (isSecure ? '2376' : '2375'),
      pathPrefix: url.pathname,
      ...files,
    },
  })
}

interface Parts extends Pick<Engine, 'address' | 'socketPath' | 'isOfStep'> {
  readonly agent: HttpAgent
  readonly options: Dockerode.DockerOptions & { readonly pathPrefix?: string }
}

function engineAt({ agent, options, ...place }: Parts): Engine {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (to, callback) => {
    const connection = connect(to, callback)
    if (connection instanceof Socket) connection.setKeepAlive(true, keepAliveMs)
    return connection
  }
  // The client takes from the environment of the service what it is not given: so it is given everything.
  const nothing = {
    host: undefined,
    port: undefined,
    ca: undefined,
    cert: undefined,
    key: undefined,
    timeout: undefined,
  }
  const docker = new Dockerode({ ...nothing, ...options, agent } as Dockerode.DockerOptions)
  return { ...place, docker }
}

function defaultAddress(env: StepContext['env']): string {
  if (process.platform === 'win32') return 'npipe:////./pipe/docker_engine'
  const user = process.getuid?.() ?? 0
  const home = env['HOME']
  const sockets = [
    '/var/run/docker.sock',
    ...(home === undefined ? [] : [`${home}/.docker/run/docker.sock`]),
    `/run/user/${user}/docker.sock`,
    `/run/user/${user}/podman/podman.sock`,
    ...(user === 0 ? ['/run/podman/podman.sock'] : []),
  ]
  return `unix://${sockets.find(isSocket) ?? '/var/run/docker.sock'}`
}

function isSocket(path: string): boolean {
  try {
    return statSync(path).isSocket()
  } catch {
    return false
  }
}

/** Where the client of Docker looks for certificates; it does so when it is told to verify. */
function certFolder(env: StepContext['env']): string | undefined {
  const verify = env['DOCKER_TLS_VERIFY'] ?? ''
  const folder = env['DOCKER_CERT_PATH'] || undefined
  if (folder !== undefined || verify === '' || verify === '0') return folder
  return env['HOME'] === undefined ? undefined : join(env['HOME'], '.docker')
}

function certificates(folder: string): { ca: Buffer; cert: Buffer; key: Buffer } {
  const read = (name: string): Buffer => readFileSync(join(folder, name))
  return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }
}

function readUrl(address: string, text: string): URL {
  try {
    const url = new URL(text)
    if (url.hostname !== '') return url
  } catch {
    // Told below.
  }
  throw new Error(`DOCKER_HOST=${address} cannot be used: it must be such as tcp://127.0.0.1:2375`)
}
