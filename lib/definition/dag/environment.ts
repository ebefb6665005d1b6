import type { NamedText } from '#lib/definition/definition.ts'
import type { Position } from '#lib/definition/reading/position.ts'

/** Reads environment variables, in the order of the text: a map, or a list of maps and of NAME=value texts. */
export function readEnvironment(position: Position): NamedText[] {
  if (position.node?.kind === 'map') return readMap(position)
  return position.items().flatMap((item) => (item.node?.kind === 'map' ? readMap(item) : readPair(item)))
}

/** The same as a list of NAME=value. */
export function environmentList(position: Position): string[] {
  return readEnvironment(position).map(({ name, value }) => `${name}=${value}`)
}

/** Reads a map from names to texts. */
export function readTextMap(position: Position): Record<string, string> {
  return Object.fromEntries(position.entries().map(([name, value]) => [name, value.text]))
}

function readMap(position: Position): NamedText[] {
  return position.entries().flatMap(([name, value]) => checked(name, value.text, value))
}

function readPair(position: Position): NamedText[] {
  const { text } = position
  const equals = text.indexOf('=')
  if (equals > 0) return checked(text.slice(0, equals).trim(), text.slice(equals + 1), position)
  position.fault(`must be NAME=value, is ${JSON.stringify(text.slice(0, 60))}`)
  return []
}

function checked(name: string, value: string, position: Position): NamedText[] {
  if (/^[^\s=]{1,256}$/.test(name)) return [{ name, value }]
  position.fault(`must have a name without blanks and equals signs, has ${JSON.stringify(name.slice(0, 60))}`)
  return []
}
