import { badRequest, ServiceError } from '#lib/core/errors.ts'
import { hostOf } from './check-host.ts'

/**
 * Protects endpoints that change something against pages of other sites that use a visitor's browser (CSRF), and
 * against browsers that prefetch a link. Clients that are not browsers send none of these headers and pass.
 * @throws ServiceError `forbidden` for a call from another site or a prefetch, `bad_request` for a form disguised as an
 * API call
 */
export function refuseCrossSite(request: Request): void {
  if (isPrefetch(request.headers)) throw new ServiceError('forbidden', 'a prefetch may not change anything')
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  if (origin === null && site === null) return
  const isOwnSite = site === null || site === 'same-origin' || site === 'none'
  if (!isOwnSite || (origin !== null && !isOwnOrigin(origin, request))) {
    throw new ServiceError('forbidden', 'calls from pages of other sites are refused')
  }
  const type = request.headers.get('content-type') ?? ''
  if (hasBody(request.headers) && !/^application\/json\s*(;|$)/i.test(type)) {
    throw badRequest('a browser must send its body as application/json')
  }
}

/** By the headers (RFC 9112, section 6.3): a server may give every request a body, which is then empty. */
function hasBody(headers: Headers): boolean {
  const length = headers.get('content-length')
  if (length !== null) return length !== '0'
  return headers.has('transfer-encoding') || headers.has('content-type')
}

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

function isPrefetch(headers: Headers): boolean {
  return prefetchHeaders.some((name) => /^\s*"?(prefetch|prerender|preview)/i.test(headers.get(name) ?? ''))
}

/** The scheme is not compared, since a proxy may have ended TLS. A missing port is that of the scheme of the origin. */
function isOwnOrigin(origin: string, request: Request): boolean {
  const page = URL.parse(origin)
  if (page === null || !/^https?:$/.test(page.protocol)) return false
  return URL.parse(`${page.protocol}//${hostOf(request)}`)?.host === page.host
}
