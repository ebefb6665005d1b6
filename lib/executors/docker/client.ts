import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, Socket } from 'node:net'
import { join } from 'node:path'
import Dockerode from 'dockerode'
import { readSmallFile } from '#lib/files/read-small-file.ts'
import { asStepUser } from '#lib/privileges/step-identity.ts'
import type { StepContext } from '../executor.ts'
import { sendToEngine } from './engine-request.ts'
import { addressRule, guardedLookup, refusal, type AddressRule } from '../metadata-addresses.ts'

/** A container engine, for one attempt. */
export interface Engine {
  readonly docker: Dockerode
  /** In the form of DOCKER_HOST. */
  readonly address: string
  /** Undefined when the engine is reached over the network: then its files are not those of this machine. */
  readonly socketPath: string | undefined
  /** True when the step chose the engine; then no secret of the deployment may be sent to it. */
  readonly isOfStep: boolean
}

/** What determines the engine. */
export type EngineAddress = Pick<StepContext, 'env' | 'settings'>

/** Keeps firewalls from dropping a connection that is idle for hours. Milliseconds. */
const keepAliveMs = 30_000

/**
 * Opens the engine: DOCKER_HOST of the step, otherwise that of the deployment, otherwise the first socket of this
 * machine.
 * @throws Error when DOCKER_HOST cannot be used, or the files of its certificate cannot be read
 */
export function openEngine({ env, settings }: EngineAddress): Engine {
  const own = env['DOCKER_HOST']?.trim()
  const address = own || settings.docker?.host || defaultAddress()
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
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // A step may name an engine, and requests to it are HTTP as well.
  const isAllowed = isOfStep ? addressRule(settings.httpAllow) : undefined
  if (isAllowed !== undefined && isIP(host) !== 0 && !isAllowed(host)) throw refusal(host)
  // What a step names is opened by its rights.
  const files =
    certPath === undefined ? {} : isOfStep ? asStepUser(() => certificates(certPath)) : certificates(certPath)
  return engineAt({
    isAllowed,
    address,
    socketPath: undefined,
    isOfStep,
    agent: isSecure ? new HttpsAgent(files) : new HttpAgent(),
    options: {
      protocol: isSecure ? 'https' : 'http',
      host,
      port: url.port || (isSecure ? '2376' : '2375'),
      pathPrefix: url.pathname,
      ...files,
    },
  })
}

interface Parts extends Pick<Engine, 'address' | 'socketPath' | 'isOfStep'> {
  readonly agent: HttpAgent
  readonly options: Dockerode.DockerOptions & { readonly pathPrefix?: string }
  /** Undefined: the deployment chose the engine. */
  readonly isAllowed?: AddressRule | undefined
}

function engineAt({ agent, options, isAllowed, ...address }: Parts): Engine {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (to, callback) => {
    const guarded = isAllowed === undefined ? to : { ...to, lookup: guardedLookup(isAllowed) }
    // A socket in the file system is connected in this call, by the rights of whoever named it.
    const connection = address.isOfStep
      ? asStepUser(() => connect(guarded, callback))
      : connect(guarded, callback)
    if (connection instanceof Socket) connection.setKeepAlive(true, keepAliveMs)
    return connection
  }
  // The client fills missing options from the environment of the service, so it gets all of them.
  const nothing = {
    host: undefined,
    port: undefined,
    ca: undefined,
    cert: undefined,
    key: undefined,
    timeout: undefined,
  }
  const docker = new Dockerode({ ...nothing, ...options, agent } as Dockerode.DockerOptions)
  const buildRequest = sendToEngine.bind(undefined, options.protocol === 'https' ? 'https' : 'http')
  Object.assign(docker.modem, { buildRequest })
  return { ...address, docker }
}

function defaultAddress(): string {
  if (process.platform === 'win32') return 'npipe:////./pipe/docker_engine'
  const user = process.getuid?.() ?? 0
  const sockets = [
    '/var/run/docker.sock',
    `${homedir()}/.docker/run/docker.sock`,
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

/** The certificate folder that Docker's own client uses when it must verify. */
function certFolder(env: StepContext['env']): string | undefined {
  const verify = env['DOCKER_TLS_VERIFY'] ?? ''
  const folder = env['DOCKER_CERT_PATH'] || undefined
  if (folder !== undefined || verify === '' || verify === '0') return folder
  return env['HOME'] === undefined ? undefined : join(env['HOME'], '.docker')
}

function certificates(folder: string): { ca: Buffer; cert: Buffer; key: Buffer } {
  const read = (name: string): Buffer => readSmallFile(join(folder, name), { what: 'DOCKER_CERT_PATH' })
  return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }
}

function readUrl(address: string, text: string): URL {
  try {
    const url = new URL(text)
    if (url.hostname !== '') return url
  } catch {
    // reported below
  }
  throw new Error(`DOCKER_HOST=${address} cannot be used: it must be such as tcp://127.0.0.1:2375`)
}
