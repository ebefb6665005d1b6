import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { limits } from '#lib/core/limits.ts'
import { callerAddress } from '#lib/api/caller-address.ts'

export interface Listening {
  readonly url: string
  /** Accepts no new calls, lets current calls end for 3 s, then cuts them off. */
  close(): Promise<void>
}

/**
 * Serves an app on an address of this machine.
 * @param options.stalledMsMax how long a connection may make no progress
 * @throws Error that names the setting when the address is not available
 */
export async function listen(
  fetch: (request: Request, origin: { address: string }) => Response | Promise<Response>,
  options: {
    readonly host: string
    readonly port: number
    readonly trustedProxies: readonly string[]
    readonly stalledMsMax?: number
  },
): Promise<Listening> {
  const listener = getRequestListener((request, { incoming }) =>
    fetch(request, { address: callerAddress(incoming, options.trustedProxies) }),
  )
  const server = createServer((request, response) => void listener(request, response))
  server.headersTimeout = 15_000
  server.requestTimeout = 60_000
  // Otherwise an answer whose client has stopped reading would never end, because its stream waits for the client.
  server.timeout = options.stalledMsMax ?? limits.stalledMsMax
  server.listen(options.port, options.host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    const place = `${options.host}:${options.port}`
    const why = code === 'EADDRINUSE' ? 'another program listens there' : String(code)
    throw new Error(`cannot listen on ${place} (${why}); set MILLRACE_HOST and MILLRACE_PORT`, { cause })
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
