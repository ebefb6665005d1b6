import { createHmac } from 'node:crypto'

/** A key that a machine may show. */
export interface HostKey {
  /** As in the file: `ssh-ed25519`, `ssh-rsa`, … */
  readonly type: string
  readonly key: Buffer
}

/**
 * The keys that a `known_hosts` file names for a machine (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT"): hashed names,
 * patterns, other ports. Certificate authorities are passed over; a revoked key is no key.
 */
export function knownKeys(text: string, host: string, port: number): readonly HostKey[] {
  const name = port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`
  const revoked = new Set<string>()
  const keys: HostKey[] = []
  for (const line of text.split('\n')) {
    const [, marker, hosts = '', type = '', key = ''] =
      /^\s*(?:(@\S+)\s+)?([^#\s]\S*)\s+(\S+)\s+(\S+)/.exec(line) ?? []
    if (key === '' || !isFor(hosts, name)) continue
    if (marker === '@revoked') revoked.add(key)
    else if (marker === undefined) keys.push({ type, key: Buffer.from(key, 'base64') })
  }
  return keys.filter(({ key }) => !revoked.has(key.toString('base64')))
}

function isFor(hosts: string, name: string): boolean {
  if (hosts.startsWith('|1|')) {
    const [, , salt = '', hash = ''] = hosts.split('|')
    return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash
  }
  const patterns = hosts.toLowerCase().split(',')
  const matches = (pattern: string): boolean => patternOf(pattern).test(name)
  if (patterns.some((pattern) => pattern.startsWith('!') && matches(pattern.slice(1)))) return false
  return patterns.some((pattern) => !pattern.startsWith('!') && matches(pattern))
}

function patternOf(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`)
}
