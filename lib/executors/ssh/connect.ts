import { userInfo } from 'node:os'
import { Client } from 'ssh2'
import type { SshConfig } from '#lib/definition/schema/ssh.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import { loginMethods } from './login.ts'
import { trustOf } from './trust.ts'

const connectWithinMs = 30_000
/** A machine that vanished is noticed after three of these. Milliseconds. */
const keepAliveMs = 15_000
const disconnectMs = 2_000

/** The machine and the login. */
interface Destination {
  readonly host: string
  readonly port: number
  readonly user: string
}

/** @throws Error when the configuration names no machine */
export function destinationOf(config: SshConfig): Destination {
  const host = (config.host ?? '').trim().replace(/^\[(.*)\]$/, '$1')
  if (host === '') throw new Error('ssh needs host, the machine to run on')
  const port = Number(config.port === undefined || config.port === '' ? 22 : config.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`the port of ssh must be 1 to 65535, is ${JSON.stringify(config.port)}`)
  }
  return { host, port, user: config.user === undefined || config.user === '' ? ownName() : config.user }
}

function ownName(): string {
  try {
    return userInfo().username
  } catch {
    throw new Error('ssh needs user: the user of the runner has no name here')
  }
}

/** Where the files of a login are, and what ends it. */
export interface LoginOptions {
  /** Base of relative paths in the configuration. */
  readonly folder: string
  readonly bounds: readonly FileBound[]
  readonly signal: AbortSignal
}

/**
 * Connects and logs in.
 * @throws Error with one sentence that names the machine; at once when the signal is aborted
 */
export async function connect(config: SshConfig, { folder, bounds, signal }: LoginOptions): Promise<Client> {
  const destination = destinationOf(config)
  const { host, port, user } = destination
  const trust = trustOf(config, destination, folder, bounds)
  const methods = loginMethods(config, user, folder, bounds)
  signal.throwIfAborted()
  const client = new Client()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = (): void => reject(new Error('stopped'))
  const fail = (why: string): void => reject(new Error(`ssh ${user}@${host}:${port}: ${why}`))
  signal.addEventListener('abort', stop, { once: true })
  // Stays for the life of the client, because an `error` event without a listener would end the process.
  client.on('error', (error) => fail(trust.explain(error) ?? reasonOf(error)))
  client.once('close', () => fail('the connection was closed during the login'))
  client.once('ready', resolve)
  try {
    client.connect({
      host,
      port,
      username: user,
      readyTimeout: connectWithinMs,
      keepaliveInterval: keepAliveMs,
      authHandler: methods,
      ...trust.options,
    })
    await promise
    return client
  } catch (error) {
    client.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** When all addresses of a host name refuse, the combined error has no message. */
export function reasonOf(error: Error & { code?: string | undefined }): string {
  if (error.message.startsWith('All configured authentication methods failed')) {
    return 'the machine accepts none of the keys and passwords that were offered'
  }
  return error.message === '' ? (error.code ?? 'the connection failed') : error.message
}

/** Closes the connection; drops it when the other side does not answer. */
export function disconnect(client: Client): void {
  const timer = setTimeout(() => client.destroy(), disconnectMs)
  client.once('close', () => clearTimeout(timer))
  client.end()
}
