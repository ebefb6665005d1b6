import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { limits } from '#lib/core/limits.ts'
import { nodeListener } from '#lib/api/requests/node-listener.ts'
import { boundConnections, refuseFaultyRequests } from './refuse-connection.ts'

export interface Listening {
  readonly url: string
  /** Accepts no new connections, gives current requests 3 s, then closes their connections. */
  close(): Promise<void>
}

const serviceBounds = {
  headersMsMax: limits.headersMsMax,
  requestMsMax: limits.requestMsMax,
  stalledMsMax: limits.stalledMsMax,
  connectionsMax: limits.connectionsMax,
  connectionsPerAddressMax: limits.connectionsPerAddressMax,
}

/**
 * Serves an app over HTTP on an address of this machine.
 * @param smaller limits that tests use instead of the service's own
 * @throws Error that names the setting when the address is not available
 */
export async function listen(
  fetch: (request: Request, origin: { address: string }) => Response | Promise<Response>,
  options: {
    readonly host: string
    readonly port: number
    readonly trustedProxies: readonly string[]
  },
  smaller: Partial<Record<keyof typeof serviceBounds, number>> = {},
): Promise<Listening> {
  const { trustedProxies } = options
  const bounds = { ...serviceBounds, ...smaller }
  const listener = nodeListener(fetch, {
    trustedProxies,
    requestsPerAddressMax: bounds.connectionsPerAddressMax,
  })
  const settings = {
    headersTimeout: bounds.headersMsMax,
    requestTimeout: bounds.requestMsMax,
    // How often Node checks for late requests.
    connectionsCheckingInterval: Math.min(1_000, bounds.headersMsMax / 2),
    // The listener checks the host itself, and answers in the API's error shape.
    requireHostHeader: false,
  }
  const server = createServer(settings, listener)
  // Otherwise a response to a client that stopped reading would stay open forever.
  server.timeout = bounds.stalledMsMax
  refuseFaultyRequests(server)
  boundConnections(server, {
    max: bounds.connectionsMax,
    perAddressMax: bounds.connectionsPerAddressMax,
    trustedProxies,
  })
  server.listen(options.port, options.host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    const address = `${options.host}:${options.port}`
    const why = code === 'EADDRINUSE' ? 'another program listens there' : String(code)
    throw new Error(`cannot listen on ${address} (${why}); set MILLRACE_HOST and MILLRACE_PORT`, { cause })
  }
  return { url: urlOf(server), close: () => close(server) }
}

function urlOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') return ''
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const cut = setTimeout(() => {
    server.closeAllConnections()
  }, 3_000)
  await closed
  clearTimeout(cut)
}
