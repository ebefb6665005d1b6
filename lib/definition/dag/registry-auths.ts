import type { BasicAuth, RegistryAuth, RegistryAuths } from '#lib/definition/definition.ts'
import type { Layers } from '#lib/definition/reading/layers.ts'
import type { Position } from '#lib/definition/reading/position.ts'

/**
 * Reads credentials of image registries: per host as a map or as JSON text, or all of them as one JSON text, such as
 * the configuration file of the Docker client contains. A text with a variable is kept: only a run knows its value.
 */
export function readRegistryAuths(layers: Layers): RegistryAuths {
  const hosts = layers.all('registryAuths').flatMap(({ value, position }) => {
    if (typeof value !== 'string')
      return position.entries().map(([host, one]) => [host, readHost(one)] as const)
    if (value.includes('$')) return [['', value] as const]
    const json = readJson(value, position)
    const all = isRecord(json['auths']) ? json['auths'] : json
    return Object.entries(all).map(([host, one]) => [host, readAuth(one, position)] as const)
  })
  return Object.fromEntries(hosts)
}

function readHost(position: Position): RegistryAuth | BasicAuth | string {
  if (position.node?.kind !== 'map' && position.text.includes('$')) return position.text
  if (position.node?.kind !== 'map') return readAuth(readJson(position.text, position), position)
  return readAuth(Object.fromEntries(position.entries().map(([key, one]) => [key, one.text])), position)
}

type Json = Readonly<Record<string, unknown>>

function readAuth(raw: unknown, position: Position): RegistryAuth | BasicAuth {
  if (!isRecord(raw)) {
    position.fault('must be a map of username and password')
    return { username: '', password: '' }
  }
  const { username, password, auth } = raw
  if (username === undefined && typeof auth === 'string') {
    return auth.includes('$') ? { auth } : readBasic(auth, position)
  }
  return { username: textIn(username), password: textIn(password) }
}

const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? `${value}` : ''

/** `auth` holds user name and password in one text, as in an HTTP header. */
function readBasic(auth: string, position: Position): RegistryAuth {
  try {
    const [, username = '', password = ''] = /^([^:]*):(.*)$/s.exec(atob(auth)) ?? []
    return { username, password }
  } catch {
    position.fault('must have username and password, or both in auth, as base64 of user:password')
    return { username: '', password: '' }
  }
}

function readJson(text: string, position: Position): Json {
  try {
    const json: unknown = JSON.parse(text)
    if (isRecord(json)) return json
  } catch {
    // reported as a fault below
  }
  position.fault('must be a map from registries to username and password, or that as JSON')
  return {}
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
