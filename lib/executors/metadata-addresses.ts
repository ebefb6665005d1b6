import { lookup as resolveName, type LookupAddress, type LookupOptions } from 'node:dns'
import { BlockList, isIP, SocketAddress } from 'node:net'

/** Whether a step may connect to an address. */
export type AddressRule = (address: string) => boolean

/**
 * Addresses at which clouds serve the credentials of a machine: link-local ones, and fixed ones of some providers.
 * Loopback and private networks are allowed on purpose, because steps are meant to call internal services.
 */
const metadata = blockListOf([
  '169.254.0.0/16',
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure
  '192.0.0.192', // Oracle
  'fe80::/10',
  'fd00:ec2::/32', // AWS
  'fd20:ce::/32', // Google
  'fd00:c1::a9fe:a9fe', // Oracle
  'fd00:42::42', // Scaleway
])

/**
 * The rule of a deployment: no link-local and metadata addresses, however they are written.
 * @param exceptions addresses or networks that are allowed nevertheless
 */
export function addressRule(exceptions: readonly string[]): AddressRule {
  const excepted = blockListOf(exceptions)
  return (address) =>
    contains(excepted, address) ||
    [address, ...embedded(address)].every((one) => !contains(metadata, one) || contains(excepted, one))
}

/** A function for the option `lookup` of sockets, which leaves out the addresses that the rule forbids. */
export function guardedLookup(isAllowed: AddressRule) {
  return (
    name: string,
    options: LookupOptions,
    done: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    resolveName(name, { ...options, all: true }, (error, found) => {
      const good = (found ?? []).filter(({ address }) => isAllowed(address))
      const [first] = good
      if (error !== null) done(error, [])
      else if (first === undefined)
        done(refusal(`${name} (${found.map((one) => one.address).join(', ')})`), [])
      else if (options.all === true) done(null, good)
      else done(null, first.address, first.family)
    })
  }
}

/** The error for an address that the rule forbids. */
export function refusal(what: string): Error {
  return new Error(
    `${what} is a link-local or metadata address, which steps may not call unless MILLRACE_HTTP_ALLOW names it`,
  )
}

/**
 * The IPv4 addresses that an IPv6 address stands for, where a translator or a tunnel on the way reads them: mapped and
 * compatible ones, NAT64 (64:ff9b::/96, 64:ff9b:1::/48), 6to4, Teredo (server, and client inverted), ISATAP.
 */
function embedded(address: string): string[] {
  const bytes = bytesOf(address)
  if (bytes === undefined) return []
  const at = (...indices: readonly number[]): string => indices.map((index) => bytes[index] ?? 0).join('.')
  const last = at(12, 13, 14, 15)
  const starts = (hex: string): boolean => bytes.toString('hex').startsWith(hex)
  if (starts('00000000000000000000') || starts('0000000000000000ffff0000')) return [last]
  // A network may cut this into prefixes of 48, 56, 64 or 96 bits; byte 8 stays zero (RFC 6052).
  if (starts('0064ff9b0001')) return [last, at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12)]
  if (starts('0064ff9b')) return [last]
  if (starts('2002')) return [at(2, 3, 4, 5)]
  if (starts('20010000')) {
    const client = [12, 13, 14, 15].map((index) => 255 - (bytes[index] ?? 0)).join('.')
    return [at(4, 5, 6, 7), client]
  }
  return /^(?:00|02)005efe/.test(bytes.toString('hex', 8)) ? [last] : []
}

/** The 16 bytes of an IPv6 address; undefined for anything else. */
function bytesOf(address: string): Buffer | undefined {
  const bare = withoutZone(address)
  if (isIP(bare) !== 6) return undefined
  // The parser writes an address in its shortest form, with a mapped IPv4 address in decimal.
  const short = new SocketAddress({ address: bare, family: 'ipv6' }).address
  const hex = short.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, ...numbers: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = numbers.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [left = '', right] = hex.split('::')
  const groups = (text: string): string[] => text.split(':').filter((group) => group !== '')
  const [head, tail] = [groups(left), groups(right ?? '')]
  const zeros = right === undefined ? [] : Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return Buffer.from([...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

function contains(list: BlockList, address: string): boolean {
  const bare = withoutZone(address)
  return isIP(bare) !== 0 && list.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4')
}

/** A link-local address may name its interface (`fe80::1%eth0`). */
function withoutZone(address: string): string {
  return address.split('%', 1)[0] ?? ''
}
