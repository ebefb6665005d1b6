import type { BasicAuth, RegistryAuth, RegistryAuths } from '#lib/definition/definition.ts'
import type { Layers } from '#lib/definition/reading/layers.ts'
import type { Place } from '#lib/definition/reading/place.ts'

/**
 * Reads credentials of image registries: per host as a map or as JSON text, or all of them as one JSON text, such as
 * the configuration file of the Docker client contains. A text with a variable is kept: only a run knows its value.
 */
export function readRegistryAuths(layers: Layers): RegistryAuths {
  const hosts = layers.all('registryAuths').flatMap(({ value, place }) => {
    if (typeof value !== 'string') return place.entries().map(([host, one]) => [host, readHost(one)] as const)
    if (value.includes('$')) return [['', value] as const]
    const json = readJson(value, place)
    const all = isRecord(json['auths']) ? json['auths'] : json
    return Object.entries(all).map(([host, one]) => [host, readAuth(one, place)] as const)
  })
  return Object.fromEntries(hosts)
}

function readHost(place: Place): RegistryAuth | BasicAuth | string {
  if (place.node?.kind !== 'map' && place.text.includes('$')) return place.text
  if (place.node?.kind !== 'map') return readAuth(readJson(place.text, place), place)
  return readAuth(Object.fromEntries(place.entries().map(([key, one]) => [key, one.text])), place)
}

type Json = Readonly<Record<string, unknown>>

function readAuth(raw: unknown, place: Place): RegistryAuth | BasicAuth {
  if (!isRecord(raw)) {
    place.fault('must be a map of username and password')
    return { username: '', password: '' }
  }
  const { username, password, auth } = raw
  if (username === undefined && typeof auth === 'string') {
    return auth.includes('$') ? { auth } : readBasic(auth, place)
  }
  return { username: textIn(username), password: textIn(password) }
}

const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? `${value}` : ''

/** `auth` holds user name and password in one text, as in an HTTP header. */
function readBasic(auth: string, place: Place): RegistryAuth {
  try {
    const [, username = '', password = ''] = /^([^:]*):(.*)$/s.exec(atob(auth)) ?? []
    return { username, password }
  } catch {
    place.fault('must have username and password, or both in auth, as base64 of user:password')
    return { username: '', password: '' }
  }
}

function readJson(text: string, place: Place): Json {
  try {
    const json: unknown = JSON.parse(text)
    if (isRecord(json)) return json
  } catch {
    // reported as a fault below
  }
  place.fault('must be a map from registries to username and password, or that as JSON')
  return {}
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
