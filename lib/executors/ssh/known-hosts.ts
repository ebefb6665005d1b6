import { createHmac } from 'node:crypto'

/** A host key that a machine may present. */
export interface HostKey {
  /** As in the file: `ssh-ed25519`, `ssh-rsa`, … */
  readonly type: string
  readonly key: Buffer
}

/**
 * The keys of a machine in a `known_hosts` file (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT"), with support for hashed
 * names, patterns and ports. As in ssh(1), a machine that is not listed with its port may be listed without.
 * Certificate authorities are skipped, and revoked keys do not count.
 */
export function knownKeys(text: string, host: string, port: number): readonly HostKey[] {
  const name = host.toLowerCase()
  const entries = text.split('\n').flatMap(readEntry)
  const ofName = (wanted: string): readonly Entry[] => entries.filter(({ hosts }) => isFor(hosts, wanted))
  const withPort = port === 22 ? [] : ofName(`[${name}]:${port}`)
  const plain = ofName(name)
  const keysOf = (some: readonly Entry[]): readonly Entry[] => some.filter(({ marker }) => marker === '')
  const keys = keysOf(withPort).length > 0 ? keysOf(withPort) : keysOf(plain)
  const revoked = [...withPort, ...plain].filter(({ marker }) => marker === '@revoked')
  return keys.filter(({ key }) => !revoked.some((one) => one.key.equals(key)))
}

interface Entry extends HostKey {
  readonly marker: string
  readonly hosts: string
}

function readEntry(line: string): Entry[] {
  const [, marker = '', hosts = '', type = '', key = ''] =
    /^\s*(?:(@\S+)\s+)?([^#\s]\S*)\s+(\S+)\s+(\S+)/.exec(line) ?? []
  return key === '' ? [] : [{ marker, hosts, type, key: Buffer.from(key, 'base64') }]
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
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`)
}
