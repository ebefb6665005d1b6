import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { plainAddress } from '#lib/api/auth/caller-address.ts'
import { guardHeaders } from '#lib/api/requests/guard-headers.ts'
import { createSlots } from '#lib/api/requests/share-slots.ts'

/** Answers, in the API's error shape, the requests that Node's HTTP server does not pass to the request listener. */
export function refuseFaultyRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const { status, message } = faults[error.code ?? ''] ?? {
      status: 400,
      message: 'the request is not HTTP/1.1',
    }
    if (error.code === 'ECONNRESET') socket.destroy()
    else answerInTurn(socket, status, message)
  })
  server.on('connect', (_request, socket: Duplex) => answer(socket, 405, 'CONNECT is not offered here'))
  server.on('checkExpectation', (request, response) => {
    const message = `Expect: ${JSON.stringify(request.headers.expect)} is not supported`
    response.writeHead(417, { ...headersOf(message), connection: 'close' }).end(bodyOf(message))
  })
}

/**
 * Limits the connections of a server, in total and per address. Connections of trusted proxies count only towards the
 * total; their requests count towards the callers' addresses.
 */
export function boundConnections(
  server: Server,
  bounds: {
    readonly max: number
    readonly perAddressMax: number
    readonly trustedProxies: readonly string[]
  },
): void {
  const take = createSlots('connections', { max: bounds.max, perCallerMax: bounds.perAddressMax })
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    try {
      socket.once('close', take(bounds.trustedProxies.includes(address) ? undefined : address))
    } catch {
      // No response: a slow caller would keep the connection occupied while it reads one.
      socket.destroy()
    }
  })
}

const faults: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request did not arrive in time' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the headers are larger than 16384 bytes' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'the chunk extensions are larger than 16384 bytes' },
}

const bodyOf = (message: string): string => JSON.stringify({ code: 'bad_request', message })

const headersOf = (message: string): Record<string, string | number> => ({
  ...guardHeaders,
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(bodyOf(message)),
})

/** Answers a faulty request after the earlier requests on the same connection. */
function answerInTurn(socket: Duplex, status: number, message: string): void {
  const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse | null }
  if (!socket.writable) socket.destroy()
  else if (current?.req.complete === true) {
    current.once('close', () => setImmediate(answerInTurn, socket, status, message))
  } else if (current?.headersSent === true) {
    // The client would read a second response as part of the current one.
    socket.destroy()
  } else answer(socket, status, message)
}

function answer(socket: Duplex, status: number, message: string): void {
  const headers = Object.entries({ ...headersOf(message), connection: 'close' })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  socket.on('error', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${bodyOf(message)}`, () => socket.destroy())
}
