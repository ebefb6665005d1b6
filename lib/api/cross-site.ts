import { badRequest, ServiceError } from '#lib/core/errors.ts'

/**
 * Protects endpoints that change something against pages of other sites that use a visitor's browser (CSRF). Clients
 * that are not browsers send neither header and pass.
 * @throws ServiceError `forbidden` for a call from another site, `bad_request` for a form disguised as an API call
 */
export function refuseCrossSite(request: Request): void {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  if (origin === null && site === null) return
  const sameSite =
    site === null ? origin !== null && sameHost(origin, request) : site === 'same-origin' || site === 'none'
  if (!sameSite) throw new ServiceError('forbidden', 'calls from pages of other sites are refused')
  const type = request.headers.get('content-type') ?? ''
  if (request.body !== null && !/^application\/json\s*(;|$)/i.test(type)) {
    throw badRequest('a browser must send its body as application/json')
  }
}

function sameHost(origin: string, request: Request): boolean {
  const host = request.headers.get('host') ?? new URL(request.url).host
  return URL.parse(origin)?.host === host
}
