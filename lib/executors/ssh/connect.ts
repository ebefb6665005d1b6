import { readFile } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Client, type AnyAuthMethod, type ConnectConfig, type ServerHostKeyAlgorithm } from 'ssh2'
import type { SshConfig } from '#lib/definition/executor-config/ssh.ts'
import { knownKeys } from './known-hosts.ts'

const connectWithinMs = 30_000
/** A machine that went away without a word is noticed after three of these. */
const keepAliveMs = 15_000

/**
 * Connects and logs in.
 * @throws Error with one sentence that names the machine; when the signal is aborted, at once
 */
export async function connect(config: SshConfig, signal: AbortSignal): Promise<Client> {
  const { host = '', user = userInfo().username } = config
  const port = Number(config.port ?? 22)
  const options: ConnectConfig = {
    host,
    port,
    username: user,
    readyTimeout: connectWithinMs,
    keepaliveInterval: keepAliveMs,
    ...(await trust(config, host, port)),
    ...(await login(config, user)),
  }
  signal.throwIfAborted()
  const client = new Client()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = (): void => reject(new Error('stopped'))
  signal.addEventListener('abort', stop, { once: true })
  client.on('error', (error) => reject(new Error(`ssh ${user}@${host}:${port}: ${error.message}`)))
  client.once('ready', resolve)
  try {
    client.connect(options)
    await promise
    return client
  } catch (error) {
    client.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Only keys that are known for the machine are accepted, unless the step says otherwise. */
async function trust(config: SshConfig, host: string, port: number): Promise<ConnectConfig> {
  if (config.strictHostKey === false) return {}
  const given = config.knownHostFile
  const files = given === undefined ? ['~/.ssh/known_hosts', '/etc/ssh/ssh_known_hosts'] : [given]
  const texts = await Promise.all(files.map((file) => readFile(atHome(file), 'utf8').catch(() => '')))
  const keys = knownKeys(texts.join('\n'), host, port)
  if (keys.length === 0) {
    throw new Error(
      `no key of ${host}:${port} is known in ${files.join(' or ')}; add it there (ssh-keyscan), ` +
        'or set strictHostKey: false',
    )
  }
  return {
    algorithms: { serverHostKey: keys.flatMap(({ type }) => algorithmsOf(type)) },
    hostVerifier: (shown: Buffer) => keys.some(({ key }) => key.equals(shown)),
  }
}

/** A server has several keys: it is asked for one that is known. */
function algorithmsOf(type: string): ServerHostKeyAlgorithm[] {
  const isRsa = type === 'ssh-rsa'
  return isRsa ? ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'] : [type as ServerHostKeyAlgorithm]
}

const usualKeys = ['id_ed25519', 'id_ecdsa', 'id_rsa'].map((name) => `~/.ssh/${name}`)

async function login({ key, password }: SshConfig, username: string): Promise<ConnectConfig> {
  const keys = key === undefined ? await readUsualKeys() : [await readKey(key)]
  const handlers: AnyAuthMethod[] = keys.map((one) => ({ type: 'publickey', username, key: one }))
  if (password !== undefined) handlers.push({ type: 'password', username, password })
  if (handlers.length === 0)
    throw new Error(`ssh needs a key or a password: there is none in ${usualKeys.join(', ')}`)
  return { authHandler: handlers }
}

/** @param key a path, or the text of a key */
async function readKey(key: string): Promise<string> {
  if (key.includes('PRIVATE KEY')) return key
  return readFile(atHome(key), 'utf8').catch(() => {
    throw new Error(`the key ${key} cannot be read`)
  })
}

async function readUsualKeys(): Promise<string[]> {
  const texts = await Promise.all(usualKeys.map((path) => readFile(atHome(path), 'utf8').catch(() => '')))
  return texts.filter((text) => text !== '')
}

function atHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path
}
