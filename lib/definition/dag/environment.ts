import type { NamedText } from '#lib/definition/definition.ts'
import type { Place } from '#lib/definition/reading/place.ts'

/** Reads environment variables, in the order of the text: a map, or a list of maps and of NAME=value texts. */
export function readEnvironment(place: Place): NamedText[] {
  if (place.node?.kind === 'map') return readMap(place)
  return place.items().flatMap((item) => (item.node?.kind === 'map' ? readMap(item) : readPair(item)))
}

/** The same as a list of NAME=value. */
export function environmentList(place: Place): string[] {
  return readEnvironment(place).map(({ name, value }) => `${name}=${value}`)
}

/** Reads a map from names to texts. */
export function readTextMap(place: Place): Record<string, string> {
  return Object.fromEntries(place.entries().map(([name, value]) => [name, value.text]))
}

function readMap(place: Place): NamedText[] {
  return place.entries().flatMap(([name, value]) => checked(name, value.text, value))
}

function readPair(place: Place): NamedText[] {
  const { text } = place
  const equals = text.indexOf('=')
  if (equals > 0) return checked(text.slice(0, equals).trim(), text.slice(equals + 1), place)
  place.fault(`must be NAME=value, is ${JSON.stringify(text.slice(0, 60))}`)
  return []
}

function checked(name: string, value: string, place: Place): NamedText[] {
  if (/^[^\s=]{1,256}$/.test(name)) return [{ name, value }]
  place.fault(`must have a name without blanks and equals signs, has ${JSON.stringify(name.slice(0, 60))}`)
  return []
}
