import { badRequest, ServiceError } from '#lib/core/errors.ts'
import { hostNameOf, isLoopbackName } from '#lib/core/host-name.ts'

export interface HostRules {
  /** Canonical names of the setting MILLRACE_ALLOWED_HOSTS; `*` allows every host. */
  readonly allowedHosts: readonly string[]
  /** Whether callers need a credential. Without one, a foreign name that resolves to this machine is an attack. */
  readonly hasCredentials: boolean
}

/** @throws ServiceError `forbidden` for a host that is not allowed, `bad_request` for a text that is not a host */
export type HostCheck = (request: Request) => void

/**
 * Protects against DNS rebinding: a page whose name an attacker points at this machine counts as the own page of the
 * service. A service without credentials answers only to loopback names and to the hosts of the setting; with
 * credentials, the hosts are restricted when the setting is set.
 */
export function createHostCheck({ allowedHosts, hasCredentials }: HostRules): HostCheck {
  const isOpen = allowedHosts.includes('*') || (hasCredentials && allowedHosts.length === 0)
  return (request) => {
    const host = hostOf(request)
    const name = hostNameOf(host)
    const quoted = JSON.stringify(host.slice(0, 100))
    if (name === undefined) throw badRequest(`Host: ${quoted} is not a host name`)
    if (isOpen || isLoopbackName(name) || allowedHosts.includes(name)) return
    const why = hasCredentials
      ? 'is not one of MILLRACE_ALLOWED_HOSTS'
      : 'is not allowed: without credentials the service answers to loopback names and MILLRACE_ALLOWED_HOSTS only'
    throw new ServiceError('forbidden', `Host: ${quoted} ${why}`)
  }
}

/** Name and port that the caller addressed. A platform without the header puts them into the URL. */
export const hostOf = (request: Request): string => request.headers.get('host') ?? new URL(request.url).host
