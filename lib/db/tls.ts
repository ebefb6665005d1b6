import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'

type Tls = Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'checkServerIdentity'>

/** Query parameters that the driver would pass on to the server, which rejects them. */
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
 * Parses `sslmode`, `sslrootcert`, `sslcert` and `sslkey` of a URL as libpq does. Files are in PEM; the root
 * `system` means the CAs that Node includes. A root without a mode implies `verify-full`; with `require` the root is
 * verified.
 * @returns the URL without these parameters, and the `ssl` option of the driver; absent: the driver's default
 * @throws Error that names the unknown mode, or the file that cannot be read
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
