import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'

type Tls = Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'checkServerIdentity'>

/** Query parameters that the driver does not know: it would pass them on to the server, which refuses them. */
const files = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const

const modes: Readonly<Record<string, false | 'allow' | 'prefer' | Tls>> = {
  disable: false,
  allow: 'allow',
  prefer: 'prefer',
  require: { rejectUnauthorized: false },
  'verify-ca': { rejectUnauthorized: true, checkServerIdentity: () => undefined },
  'verify-full': { rejectUnauthorized: true },
}

/**
 * How a connection is secured, as libpq reads it from `sslmode`, `sslrootcert`, `sslcert` and `sslkey` (PEM files; the
 * root `system`: those that Node brings). A root without a mode means `verify-full`; with `require` it is checked.
 * @returns the URL without these, and what the driver is to do; undefined: what it would do by itself
 * @throws Error that names a mode that there is not, or a file that cannot be read
 */
export function takeTls(url: string): { readonly url: string; readonly ssl?: (typeof modes)[string] } {
  const [address = '', ...rest] = url.split('?')
  const query = new URLSearchParams(rest.join('?'))
  const hasRoot = query.has('sslrootcert')
  const mode = query.get('sslmode') ?? (hasRoot ? 'verify-full' : undefined)
  if (mode === undefined) return { url }
  const ssl = modes[mode === 'require' && hasRoot ? 'verify-ca' : mode]
  if (ssl === undefined) {
    throw new Error(`sslmode of the database must be one of ${Object.keys(modes).join(', ')}, is "${mode}"`)
  }
  const given: Record<string, string> = {}
  for (const [name, field] of Object.entries(files)) {
    const file = query.get(name)
    if (file !== null && file !== 'system') given[field] = readPem(name, file)
    query.delete(name)
  }
  query.delete('sslmode')
  const more = query.size === 0 ? '' : `?${query.toString()}`
  return { url: `${address}${more}`, ssl: typeof ssl === 'object' ? { ...ssl, ...given } : ssl }
}

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`${name} of the database, "${file}", cannot be read`, { cause })
  }
}
