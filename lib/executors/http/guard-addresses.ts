import { lookup as resolveName, type LookupAddress, type LookupOptions } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import { buildConnector } from 'undici'

type Connector = ReturnType<typeof buildConnector>
type Allowed = (address: string) => boolean

/**
 * Addresses at which clouds serve the credentials of a machine: link-local ones, and fixed ones of some providers.
 * Loopback and private networks are allowed on purpose, because http steps are meant to call internal services.
 */
const metadata = blockListOf([
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254',
  '100.100.100.200',
  '192.0.0.192',
])

/**
 * A connector that refuses link-local and metadata addresses, however they are written or resolved. Redirects pass
 * through it as well.
 * @param exceptions addresses or networks that are allowed nevertheless
 */
export function guardedConnector(
  exceptions: readonly string[],
  options: buildConnector.BuildOptions,
): Connector {
  const excepted = blockListOf(exceptions)
  const isAllowed: Allowed = (address) => !contains(metadata, address) || contains(excepted, address)
  const connect = buildConnector({ ...options, lookup: guardedLookup(isAllowed) })
  return (target, done) => {
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(host) !== 0 && !isAllowed(host)) {
      done(refusal(host), null)
      return
    }
    connect(target, (...outcome) => {
      const [, socket] = outcome
      const address = socket?.remoteAddress
      if (socket === null || socket === undefined || address === undefined || isAllowed(address)) {
        done(...outcome)
        return
      }
      socket.destroy()
      done(refusal(address), null)
    })
  }
}

function guardedLookup(isAllowed: Allowed) {
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

function refusal(what: string): Error {
  return new Error(
    `${what} is a link-local or metadata address, which http steps may not call unless MILLRACE_HTTP_ALLOW names it`,
  )
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

/** A link-local address may name its interface (`fe80::1%eth0`). */
function contains(list: BlockList, address: string): boolean {
  const [bare = ''] = address.split('%', 1)
  return list.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4')
}
