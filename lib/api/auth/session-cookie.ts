import { badRequest, ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'

/**
 * Sent by the page with every call. Pages of other origins cannot set it: that takes a preflight, which is refused.
 * Pages on another port of the same host count as the same site, and share its cookies.
 */
export const ownHeader = 'x-millrace'

/** Longer than any cookies that browsers send. */
const headerLengthMax = 8_192

/**
 * A browser takes a cookie with the prefix from https and from this very host only, so nobody else can plant one. On
 * https no other name counts.
 */
const nameOf = (secure: boolean): string => (secure ? '__Host-millrace' : 'millrace')

/**
 * Whether the caller uses https. Anybody may claim so, and gains nothing: a session is found by its token, whatever
 * the name of the cookie.
 */
export function isSecure(request: Request): boolean {
  const [scheme = ''] = (request.headers.get('x-forwarded-proto') ?? '').split(',')
  return scheme.trim() === '' ? request.url.startsWith('https:') : scheme.trim().toLowerCase() === 'https'
}

/**
 * The token of the session that a request belongs to.
 * @throws ServiceError `bad_request` for two: one of them was planted, and it is unknown which
 */
export function sessionToken(request: Request): string | undefined {
  const tokens = tokensOf(request)
  if (tokens.length <= 1) return tokens[0]
  throw badRequest('more than one session cookie was sent; delete the cookies of this host and sign in again')
}

/**
 * Protects acting calls whose credential is the cookie, which a browser sends by itself.
 * @throws ServiceError `forbidden`
 */
export function requireOwnHeader(request: Request): void {
  const { headers } = request
  if (headers.has('authorization') || headers.has(ownHeader) || tokensOf(request).length === 0) return
  throw new ServiceError(
    'forbidden',
    `a call with a session cookie that changes something needs the header ${ownHeader}: 1`,
  )
}

function tokensOf(request: Request): string[] {
  const header = request.headers.get('cookie') ?? ''
  if (header.length > headerLengthMax) return []
  const start = `${nameOf(isSecure(request))}=`
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
}

/** Value of `Set-Cookie` that begins a session. When it ends is up to the service. */
export const setCookie = (token: string, secure: boolean): string =>
  cookie(token, secure, limits.sessionDaysMax * 86_400)

/** Value of `Set-Cookie` that makes the browser forget the session. */
export const clearCookie = (secure: boolean): string => cookie('', secure, 0)

/** The prefix `__Host-` demands the path `/`, also where a proxy serves the page below another. */
const cookie = (value: string, secure: boolean, maxAge: number): string =>
  `${nameOf(secure)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
