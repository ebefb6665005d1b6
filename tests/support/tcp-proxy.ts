import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** How a connection ends: gracefully, with a reset, or with a reset in the middle of the next response. */
export type Cut = 'end' | 'reset' | 'reset in an answer'

/**
 * The state of the network. `silent`: new connections are accepted but bytes are dropped, and open connections are
 * silent forever, as behind a firewall that lost its state. `closing`: connections are accepted and closed at once.
 * `refusing`: nothing listens.
 */
export type Way = 'open' | 'silent' | 'closing' | 'refusing'

/** A proxy between a client and a server that simulates network faults. */
export interface TcpProxy {
  /** A URL of the server, through the proxy. */
  through(url: string): string
  /** The number of open connections. */
  count(): number
  /** The number of connections made so far. */
  made(): number
  /** Cuts one connection, or all. @returns how many */
  cut(how: Cut, address?: number): number
  /** Silences one connection, which stays open. @returns how many */
  silence(address: number): number
  /** Holds back the responses to one connection. @param port its client port at the server @returns the release */
  hold(port: number): () => void
  way(way: Way): Promise<void>
  /** Delays all data, milliseconds. */
  delay(ms: number): void
  close(): Promise<void>
}

interface Pair {
  readonly client: Socket
  readonly server: Socket | undefined
  isSilent: boolean
  /** Resolves when responses may pass. */
  held: Promise<void> | undefined
  cutsNext: boolean
}

/** @param address where the proxy listens; port 0: any */
export async function startProxy(
  target: string,
  address = { address: '127.0.0.1', port: 0 },
): Promise<TcpProxy> {
  const { hostname, port: targetPort } = new URL(target)
  const pairs = new Set<Pair>()
  let now: Way = 'open'
  let delayMs = 0
  let made = 0

  const drop = (pair: Pair, how: Cut): void => {
    // Only once: a reset during a graceful close leaves Node with a handle that never closes.
    if (!pairs.delete(pair)) return
    for (const socket of [pair.client, pair.server]) {
      if (how === 'end') socket?.destroySoon()
      else socket?.resetAndDestroy()
    }
  }
  const pass = (pair: Pair, from: Socket, to: Socket, isAnswer: boolean): void => {
    const later = (act: () => void): void => {
      if (delayMs === 0) act()
      else setTimeout(act, delayMs)
    }
    from.on('data', (piece: Buffer) => {
      if (pair.isSilent) return
      if (isAnswer && pair.held !== undefined) void pair.held.then(() => to.write(piece))
      else if (isAnswer && pair.cutsNext) {
        to.write(piece.subarray(0, Math.ceil(piece.length / 2)), () => drop(pair, 'reset'))
        pair.isSilent = true
      } else later(() => to.write(piece))
    })
    from.on('end', () => later(() => pair.isSilent || drop(pair, 'end')))
    from.on('close', () => later(() => pair.isSilent || drop(pair, 'end')))
    from.on('error', () => pair.isSilent || drop(pair, 'reset'))
  }
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    made += 1
    client.on('error', () => undefined)
    client.resume()
    if (now === 'closing') {
      client.end()
      return
    }
    const server =
      now === 'silent' ? undefined : connect({ host: hostname, port: Number(targetPort), noDelay: true })
    server?.on('error', () => undefined)
    const pair: Pair = { client, server, isSilent: now === 'silent', held: undefined, cutsNext: false }
    pairs.add(pair)
    client.on('close', () => pairs.delete(pair))
    client.on('end', () => pair.isSilent && client.end())
    if (server !== undefined) {
      pass(pair, client, server, false)
      pass(pair, server, client, true)
    }
  })
  listener.listen(address.port, address.address)
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }

  const chosen = (address: number | undefined): Pair[] => {
    const all = [...pairs]
    if (address === undefined) return all
    const one = all[address % Math.max(1, all.length)]
    return one === undefined ? [] : [one]
  }
  const silence = (pair: Pair): void => {
    pair.isSilent = true
    // The server keeps its end until the client closes, as it would on a silent network.
    pair.client.on('close', () => pair.server?.destroy())
  }
  return {
    through: (url) => {
      const through = new URL(url)
      through.hostname = address.address
      through.port = String(port)
      return through.href
    },
    count: () => pairs.size,
    made: () => made,
    cut: (how, address) => {
      const found = chosen(address)
      for (const pair of found) {
        if (how === 'reset in an answer') pair.cutsNext = true
        else drop(pair, how)
      }
      return found.length
    },
    silence: (address) => {
      const found = chosen(address)
      for (const pair of found) silence(pair)
      return found.length
    },
    hold: (port) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      for (const pair of pairs) if (pair.server?.localPort === port) pair.held = promise
      return resolve
    },
    way: async (way) => {
      const before = now
      now = way
      if (way === 'silent') for (const pair of pairs) silence(pair)
      else if (way !== 'open') for (const pair of pairs) drop(pair, 'reset')
      if (way === 'refusing' && before !== 'refusing') listener.close()
      if (way !== 'refusing' && before === 'refusing') {
        listener.listen(port, address.address)
        await once(listener, 'listening')
      }
    },
    delay: (ms) => {
      delayMs = ms
    },
    close: async () => {
      for (const pair of pairs) drop(pair, 'reset')
      if (now === 'refusing') return
      listener.close()
      await once(listener, 'close')
    },
  }
}
