import { join } from 'node:path'
import type { RegistryAuths } from '#lib/definition/definition.ts'
import { FileError } from '#lib/files/file-error.ts'
import { readStepFile } from '#lib/files/read-step-file.ts'
import type { EngineAddress, Engine } from './client.ts'
import { ContainerFault } from './engine-fault.ts'
import { mapOf } from './engine-settings.ts'

/** Credentials in the form that the engine expects. */
export type Credentials =
  | { readonly username: string; readonly password: string; readonly serveraddress: string }
  | { readonly identitytoken: string; readonly serveraddress: string }

/**
 * Finds the credentials for a registry: in the DAG, in DOCKER_AUTH_CONFIG (of the step, then of the deployment), then
 * in the configuration of the Docker client.
 */
export function credentialsFor(
  registry: string,
  auths: RegistryAuths,
  { env, settings }: EngineAddress,
  engine: Pick<Engine, 'isOfStep'>,
): Credentials | undefined {
  const { '': all, ...byHost } = auths
  const own = lookUp(byHost, registry)
  if (typeof own === 'object') return readAuth(own, registry)
  const texts = [
    own === undefined ? {} : { [registry]: readConfig(own, 'registryAuths') },
    typeof all === 'string' ? readConfig(all, 'registryAuths') : {},
    readConfig(env['DOCKER_AUTH_CONFIG'], 'DOCKER_AUTH_CONFIG'),
    engine.isOfStep ? {} : readConfig(settings.docker?.authConfig, 'DOCKER_AUTH_CONFIG'),
    readConfig(clientConfig(env), 'the configuration of the Docker client'),
  ]
  return texts
    .map((auths) => readAuth(lookUp(auths, registry), registry))
    .find((found) => found !== undefined)
}

/** Docker's own registry has several names. */
const dockerNames = new Set([
  'docker.io',
  'index.docker.io',
  'registry-1.docker.io',
  'registry.hub.docker.com',
])

function lookUp<T>(auths: Readonly<Record<string, T>>, registry: string): T | undefined {
  return Object.entries(auths).find(([name]) => hostOf(name) === hostOf(registry))?.[1]
}

function hostOf(name: string): string {
  const address = name
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
  const [host = ''] = address.split('/', 1)
  return dockerNames.has(host) ? 'docker.io' : host
}

function clientConfig(env: EngineAddress['env']): string | undefined {
  const folder =
    env['DOCKER_CONFIG'] || (env['HOME'] === undefined ? undefined : join(env['HOME'], '.docker'))
  if (folder === undefined) return undefined
  try {
    return readStepFile(join(folder, 'config.json'), { what: 'DOCKER_CONFIG' }).toString('utf8')
  } catch (error) {
    if (error instanceof FileError) return undefined
    throw error
  }
}

function readConfig(text: string | undefined, source: string): Readonly<Record<string, unknown>> {
  if (text === undefined || text.trim() === '') return {}
  try {
    const config = mapOf(JSON.parse(text))
    return mapOf(config['auths'] ?? config)
  } catch {
    throw new ContainerFault(`${source} is not JSON, as config.json of the Docker client is`)
  }
}

function readAuth(raw: unknown, serveraddress: string): Credentials | undefined {
  const { auth, username, password, identitytoken } = mapOf(raw)
  if (typeof identitytoken === 'string' && identitytoken !== '') return { identitytoken, serveraddress }
  if (typeof username === 'string' && typeof password === 'string')
    return { username, password, serveraddress }
  if (typeof auth !== 'string') return undefined
  const both = /^([^:]*):(.*)$/s.exec(Buffer.from(auth, 'base64').toString('utf8'))
  return both === null ? undefined : { username: both[1] ?? '', password: both[2] ?? '', serveraddress }
}
