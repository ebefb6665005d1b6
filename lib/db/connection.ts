import { connect as openSocket, type Socket } from 'node:net'
import postgres from 'postgres'
import { isUnavailable } from './errors.ts'

/** Statements as the driver takes them. */
export type Driver = postgres.Sql

export type Send<Result> = (driver: Driver) => PromiseLike<Result>

export interface ConnectionOptions {
  /** As the driver has parsed them: shared by all connections, as are its parsers. */
  readonly settings: Driver['options']
  /** Number of the connection; the hosts of the settings take turns. */
  readonly turn: number
  /** Default `statement_timeout` of the server, milliseconds; undefined: it is not set. */
  readonly serverMs: number | undefined
  readonly onLost: () => void
  readonly onNotify?: (channel: string) => void
}

/** Seconds of silence before TCP probes begin; a dead peer is noticed ten seconds later. */
const keepAliveSec = 10
/** Milliseconds until a socket is destroyed whose peer does not answer the graceful close. */
const byeMs = 1_000
/** Milliseconds. The server cancels a statement before we give up waiting, so that both know it was not carried out. */
export const serverMsOf = (ms: number): number => Math.max(1, ms - 500)

/** The error of a statement that was not answered in time: it may or may not have been carried out. */
class TooLate extends Error {
  readonly code = 'ETIMEDOUT'
}

/**
 * One connection, for one statement at a time, discarded after any error but an ordinary refusal. The driver would
 * reconnect the same object, but keeps state from before: rows it had read, bytes it had not sent, a pending query. The
 * next statement would then get a wrong answer, or none.
 */
export class Connection {
  isLost = false
  /** How many statements it was taken for. */
  uses = 0
  readonly bornAt = performance.now()
  /** End of the last statement. */
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
      // Node checks the certificate of an address against "localhost" by default.
      ssl: typeof settings.ssl === 'object' ? { ...settings.ssl, host } : settings.ssl,
      port: [settings.port[turn % settings.port.length]],
      socket: (address: Address) => this.#open(address),
      onclose: () => this.close(),
      onnotify: onNotify,
    }
    this.#driver = postgres(own as unknown as postgres.Options<Record<string, postgres.PostgresType>>)
  }

  /**
   * Sends a statement and waits for its answer.
   * @param withinMs then it has failed, and the connection is closed
   */
  async run<Result>(send: Send<Result>, withinMs: number | undefined): Promise<Result> {
    this.uses++
    try {
      if (withinMs === undefined) return await send(this.#driver)
      return await this.#inTime(withinMs, async () => {
        await this.#tellServer(serverMsOf(withinMs))
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
    // It closes gracefully if it can; the socket is destroyed in any case.
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

  async #tellServer(ms: number): Promise<void> {
    if (this.#serverMs === undefined || this.#serverMs === ms) return
    await this.#driver.unsafe(`set statement_timeout = ${ms}`)
    this.#serverMs = ms
  }

  /** The driver asks for a socket once. Asking again means that it reconnects, with state from before. */
  #open(address: Address): Socket {
    if (this.#socket !== undefined) throw new ClosedEarly('the connection was closed before it was ready')
    const [host = '', port = 0] = [address.host[0], address.port[0]]
    const socket = address.path ? openSocket({ path: address.path }) : openSocket({ host, port })
    this.#socket = socket
    // The driver checks the certificate against these.
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

/** The server refused the statement; the connection is sound. */
function isOrdinary(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.severity === 'ERROR' && !isUnavailable(error)
}
