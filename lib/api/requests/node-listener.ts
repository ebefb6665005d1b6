import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { badRequest, messageOf, type ServiceError } from '#lib/core/errors.ts'
import { hostNameOf } from '#lib/core/host-name.ts'
import { limits } from '#lib/core/limits.ts'
import { callerAddress } from '#lib/api/auth/caller-address.ts'
import { checkPath } from './check-path.ts'
import { asServiceError, errorAnswer, errorBody, errorStatuses } from '#lib/api/answers/error-body.ts'
import { guardHeaders } from './guard-headers.ts'
import { createSlots } from './share-slots.ts'

type Fetch = (request: Request, origin: { address: string }) => Response | Promise<Response>

/** Stands for the host of an HTTP/1.0 request that names none. No allowed host can have this name. */
const missingHost = 'host.invalid'

/**
 * Serves requests of Node's HTTP server. Checks what is lost once a request has become a `Request`: repeated Host
 * headers, the host of an absolute target, and dot segments, which a URL resolves.
 */
export function nodeListener(
  fetch: Fetch,
  options: { readonly trustedProxies: readonly string[]; readonly requestsPerAddressMax?: number },
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const take = createSlots('requests', {
    max: Infinity,
    perCallerMax: options.requestsPerAddressMax ?? limits.connectionsPerAddressMax,
  })
  const listener = getRequestListener(
    (request, { incoming }) => fetch(request, { address: callerAddress(incoming, options.trustedProxies) }),
    { hostname: missingHost, errorHandler },
  )
  return (incoming, outgoing) => {
    // Also for what @hono/node-server answers by itself, when a stream fails before its first byte.
    for (const [name, value] of Object.entries(guardHeaders)) outgoing.setHeader(name, value)
    try {
      checkRequest(incoming)
      // Pipelined requests are answered at the same time, so a bound on connections does not bound them.
      outgoing.once('close', take(callerAddress(incoming, options.trustedProxies)))
    } catch (error) {
      return refuse(outgoing, asServiceError(error))
    }
    void listener(incoming, outgoing)
  }
}

/** @throws ServiceError `bad_request` */
function checkRequest({ rawHeaders, headers, httpVersion, url = '' }: IncomingMessage): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  const { host = '' } = headers
  if (hosts > 1) throw badRequest(`the request has ${hosts} Host headers`)
  if (host === '' && httpVersion !== '1.0') throw badRequest('the request has no Host header')
  if (host !== '' && hostNameOf(host) === undefined) {
    throw badRequest(`Host: ${JSON.stringify(host.slice(0, 100))} is not a host name`)
  }
  checkPath(pathOf(url, host))
}

/** The path of a request target, as it came. @throws ServiceError `bad_request` */
function pathOf(target: string, host: string): string {
  const [beforeQuery = ''] = target.split(/[?#]/, 1)
  if (target.startsWith('/')) return beforeQuery
  const [scheme] = /^https?:\/\//i.exec(beforeQuery) ?? []
  if (scheme === undefined) {
    throw badRequest(`the request target ${JSON.stringify(target.slice(0, 100))} is not a path`)
  }
  const rest = beforeQuery.slice(scheme.length)
  const [authority = ''] = rest.split('/', 1)
  if (authority.toLowerCase() !== host.toLowerCase()) {
    throw badRequest(
      `the request target is for ${JSON.stringify(authority.slice(0, 100))}, but Host is another`,
    )
  }
  return rest.slice(authority.length)
}

/** For a request that cannot be turned into a `Request`; the router answers all other errors. */
function errorHandler(error: unknown): Response {
  const isFaultyRequest = error instanceof Error && error.name === 'RequestError'
  const shown = isFaultyRequest
    ? badRequest(`the request is faulty: ${messageOf(error)}`)
    : asServiceError(error)
  return errorAnswer(shown)
}

function refuse(outgoing: ServerResponse, error: ServiceError): void {
  const body = JSON.stringify(errorBody(error))
  if (error.retryAfterSeconds !== undefined) outgoing.setHeader('retry-after', error.retryAfterSeconds)
  outgoing.setHeader('content-type', 'application/json')
  outgoing.setHeader('content-length', Buffer.byteLength(body))
  outgoing.setHeader('connection', 'close')
  outgoing.writeHead(errorStatuses[error.code]).end(body)
}
