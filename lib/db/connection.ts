import { connect as openSocket, type Socket } from 'node:net'
import postgres from 'postgres'
import { isUnavailable } from './errors.ts'

export type Driver = postgres.Sql

export type Send<Result> = (driver: Driver) => PromiseLike<Result>

export interface ConnectionOptions {
  /** Options as parsed by the driver; all connections share them, including the type parsers. */
  readonly settings: Driver['options']
  /** Number of the connection, which selects its host: hosts are used in rotation. */
  readonly turn: number
  /** `statement_timeout` with which the connection starts, milliseconds; undefined: it is never set. */
  readonly serverMs: number | undefined
  readonly onLost: () => void
  readonly onNotify?: (channel: string) => void
}

/** Seconds of silence before TCP probes begin; a dead peer is noticed ten seconds later. */
const keepAliveSec = 10
/** Milliseconds until a socket is destroyed if its peer does not complete the graceful close. */
const byeMs = 1_000
/** The `statement_timeout` for a client timeout: shorter, so that the server cancels before the client gives up. */
export const serverMsOf = (ms: number): number => Math.max(1, ms - 500)

/** The statement timed out on the client: it may or may not have been executed. */
class TooLate extends Error {
  readonly code = 'ETIMEDOUT'
}

/**
 * One connection, for one statement at a time. Any error other than an ordinary SQL error discards it. The driver would
 * reconnect the same object, but keeps stale state: rows already read, unsent bytes, a pending query. The next
 * statement would then get the wrong result, or none.
 */
export class Connection {
  isLost = false
  /** Number of statements run. */
  uses = 0
  readonly bornAt = performance.now()
  /** Time of the end of the last statement. */
  usedAt = this.bornAt
  readonly #driver: Driver
  readonly #options: ConnectionOptions
  #socket: Socket | undefined
  #serverMs: number | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#serverMs = options.serverMs
    const { settings, turn, onNotify } = options
    const host = settings.host[turn % settings.host.length]
    const own = {
      ...settings,
      max: 1,
      max_lifetime: null,
      keep_alive: keepAliveSec,
      host: [host],
      // Without a host, Node verifies the certificate against "localhost".
      ssl: typeof settings.ssl === 'object' ? { ...settings.ssl, host } : settings.ssl,
      port: [settings.port[turn % settings.port.length]],
      socket: (address: Address) => this.#open(address),
      onclose: () => this.close(),
      onnotify: onNotify,
    }
    this.#driver = postgres(own as unknown as postgres.Options<Record<string, postgres.PostgresType>>)
  }

  /**
   * Sends a statement and waits for its result.
   * @param withinMs time limit; when it passes, this rejects and closes the connection
   */
  async run<Result>(send: Send<Result>, withinMs: number | undefined): Promise<Result> {
    this.uses++
    try {
      if (withinMs === undefined) return await send(this.#driver)
      return await this.#inTime(withinMs, async () => {
        await this.#setServerTimeout(serverMsOf(withinMs))
        return await send(this.#driver)
      })
    } catch (error) {
      if (!isOrdinary(error)) this.close()
      throw error
    } finally {
      this.usedAt = performance.now()
    }
  }

  close(): void {
    if (this.isLost) return
    this.isLost = true
    // Tries a graceful close; the socket is destroyed in any case.
    void this.#driver.end({ timeout: 0 }).finally(() => this.#socket?.destroySoon())
    setTimeout(() => this.#socket?.destroy(), byeMs).unref()
    this.#options.onLost()
  }

  async #inTime<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new TooLate(`the database did not answer within ${ms} ms`)), ms)
    })
    try {
      return await Promise.race([work(), late])
    } finally {
      clearTimeout(timer)
    }
  }

  async #setServerTimeout(ms: number): Promise<void> {
    if (this.#serverMs === undefined || this.#serverMs === ms) return
    await this.#driver.unsafe(`set statement_timeout = ${ms}`)
    this.#serverMs = ms
  }

  /** The driver asks for a socket once. A second time means that it reconnects, with stale state. */
  #open(address: Address): Socket {
    if (this.#socket !== undefined) throw new ClosedEarly('the connection was closed before it was ready')
    const [host = '', port = 0] = [address.host[0], address.port[0]]
    const socket = address.path ? openSocket({ path: address.path }) : openSocket({ host, port })
    this.#socket = socket
    // The driver verifies the certificate against these.
    return Object.assign(socket, { host, port })
  }
}

interface Address {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

class ClosedEarly extends Error {
  readonly code = 'CONNECTION_CLOSED'
}

/** An SQL error after which the connection is usable. */
function isOrdinary(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.severity === 'ERROR' && !isUnavailable(error)
}
