import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { guardedLookup, refusal, type AddressRule } from '../metadata-addresses.ts'

/**
 * A connector that refuses link-local and metadata addresses, however they are written or resolved. Redirects pass
 * through it as well, and no proxy of the environment comes before it.
 */
export function guardedConnector(
  isAllowed: AddressRule,
  options: buildConnector.BuildOptions,
): ReturnType<typeof buildConnector> {
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
