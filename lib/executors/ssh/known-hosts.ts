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
  if (name.length > hostLengthMax) return []
  const entries = text.split('\n').flatMap(readEntry)
  const ofName = (wanted: string): readonly Entry[] => entries.filter(({ hosts }) => isFor(hosts, wanted))
  const withPort = port === 22 ? [] : ofName(`[${name}]:${port}`)
  const plain = ofName(name)
  const keysOf = (some: readonly Entry[]): readonly Entry[] => some.filter(({ marker }) => marker === '')
  const keys = keysOf(withPort).length > 0 ? keysOf(withPort) : keysOf(plain)
  const revoked = [...withPort, ...plain].filter(({ marker }) => marker === '@revoked')
  const bad = new Set(revoked.map(({ key }) => key.toString('base64')))
  return keys.filter(({ key }) => !bad.has(key.toString('base64')))
}

/** No name of a machine is longer. */
const hostLengthMax = 255

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
  if (patterns.some((pattern) => pattern.startsWith('!') && fits(pattern.slice(1), name))) return false
  return patterns.some((pattern) => !pattern.startsWith('!') && fits(pattern, name))
}

/** Matches a pattern with `*` and `?`. After a mismatch, the last star takes one more character. */
function fits(pattern: string, name: string): boolean {
  let at = 0
  let star: { readonly after: number; taken: number } | undefined
  for (let index = 0; index < name.length;) {
    const sign = pattern[at]
    if (sign === '*') {
      at += 1
      star = { after: at, taken: index }
    } else if (sign === '?' || sign === name[index]) {
      at += 1
      index += 1
    } else {
      if (star === undefined) return false
      star.taken += 1
      at = star.after
      index = star.taken
    }
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}
