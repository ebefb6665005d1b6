/** Validators for setting values. Their messages follow the value in an error. */
import { isIPv6 } from 'node:net'
import { delimiter, isAbsolute } from 'node:path'
import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { hostNameOf } from '#lib/core/host-name.ts'

/** A number with a unit. */
export function number(low: number, high: number, unit: string) {
  const right = `must be a whole number from ${low} to ${high}${unit}`
  return v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^\d{1,9}$/, right),
    v.transform(Number),
    v.number(),
    v.minValue(low, right),
    v.maxValue(high, right),
  )
}

export const switchText = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.picklist(['true', 'false', '1', '0', 'yes', 'no'], 'must be true or false'),
  v.transform((text) => ['true', '1', 'yes'].includes(text)),
)

/** Parses `a=b,c=d` into pairs, in order. */
export function pairs(right: string, isValue: (value: string) => boolean) {
  const word = /^[A-Za-z0-9][A-Za-z0-9_.\-/]{0,62}$/
  return v.pipe(
    v.string(),
    v.transform((text) => list(text).map((entry): [string, string] => splitOnce(entry))),
    v.check((entries) => entries.every(([name, value]) => word.test(name) && isValue(value)), right),
    v.check(
      (entries) => new Set(entries.map(([name]) => name)).size === entries.length,
      'contains duplicates',
    ),
  )
}

export const list = (text: string): string[] =>
  text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))

/** Absolute folders, separated by commas or as in PATH. */
export const folders = v.pipe(
  v.string(),
  v.transform((text) => text.split(delimiter).flatMap(list)),
  v.check(
    (paths) => paths.length > 0 && paths.every((path) => isAbsolute(path)),
    'must be absolute folders, separated by commas',
  ),
)

function splitOnce(entry: string): [string, string] {
  const at = entry.indexOf('=')
  return at < 0 ? [entry, ''] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()]
}

/** Parses headers whose values are URL-encoded (https://opentelemetry.io/docs/specs/otel/protocol/exporter/). */
export function headers(text: string): [string, string][] | undefined {
  try {
    const entries = list(text).map((entry): [string, string] => {
      const [name, value] = splitOnce(entry)
      return [name, decodeURIComponent(value)]
    })
    return entries.every(([name, value]) => /^[\w-]+$/.test(name) && /^[\x20-\x7e]+$/.test(value))
      ? entries
      : undefined
  } catch {
    return undefined
  }
}

export const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const postgresUrl = v.pipe(
  v.string(),
  v.regex(/^postgres(ql)?:\/\//, 'must be postgres://user:password@host:port/database'),
  v.check((text) => URL.canParse(text), 'must be postgres://user:password@host:port/database'),
)

export const token = v.pipe(
  v.string(),
  v.minLength(16, 'must have at least 16 characters'),
  v.regex(/^[!-~]+$/, 'must contain only letters, digits and punctuation, no blanks'),
)

export const serviceUrl = v.pipe(
  v.string(),
  v.check(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must be http://host:port or https://host:port',
  ),
)

export const address = v.regex(
  /^(\[[0-9a-fA-F:]+\]|[0-9a-fA-F:.]+|[A-Za-z0-9.-]+)$/,
  'must be an address or a host name',
)
/** Host names, converted to canonical form, without ports. IPv6 addresses may omit the brackets. */
export const hostNames = v.pipe(
  v.string(),
  v.transform((text) => list(text).map((entry) => (isIPv6(entry) ? `[${entry}]` : entry))),
  v.check(
    (entries) => entries.every((entry) => entry === '*' || hostNameOf(entry) !== undefined),
    'must be host names or addresses, separated by commas, or *',
  ),
  v.transform((entries) => entries.map((entry) => hostNameOf(entry) ?? entry)),
)

export const network = /^[0-9a-fA-F:.]+(\/\d{1,3})?$/

export const program = v.pipe(
  v.string(),
  v.regex(/^(\/\S+|[\w.+-]+)$/, 'must be an absolute path or the name of a program, without arguments'),
)

export const username = v.pipe(
  v.string(),
  v.regex(/^[^:]+$/, 'must not contain a colon'),
  v.maxLength(limits.usernameLengthMax, `must have at most ${limits.usernameLengthMax} characters`),
  v.check((name) => !/\p{Cc}/u.test(name), 'must not contain control characters'),
)
