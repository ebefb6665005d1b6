import postgres from 'postgres'
import { Connection, serverMsOf } from './connection.ts'
import { functionCall, type Argument } from './function-call.ts'
import { keepListening, type Listening } from './keep-listening.ts'
import { Pool } from './pool.ts'
import { sentAgain } from './sent-again.ts'
import { statements, type Sql } from './statement.ts'
import { takeTls } from './tls.ts'

/**
 * A connection pool. Every use is a single statement (see ARCHITECTURE.md on transactions); deadlocks and serialisation
 * failures are retried.
 */
export interface Database {
  readonly sql: Sql
  /** Whether statements are prepared. False behind a pooler, where the next statement may use another connection. */
  readonly prepares: boolean
  /**
   * Calls a function of the schema `millrace` in one statement and returns its result. Objects and arrays are passed as
   * jsonb, bigints as bigint.
   */
  readonly call: <Result>(name: string, ...args: readonly Argument[]) => Promise<Result>
  /** The same pool with another time limit per statement, milliseconds. */
  readonly within: (ms: number) => Database
  /** Listens on a separate connection, which reconnects by itself; `onHint` is also called after each reconnect. */
  readonly listen: (channels: readonly string[], onHint: (channel: string) => void) => Listening
  readonly close: () => Promise<void>
}

export interface ConnectOptions {
  readonly max: number
  readonly applicationName: string
  /** Time limit of a statement, milliseconds; undefined: none. */
  readonly statementMs?: number
  /** False behind a pooler that shares connections between transactions. */
  readonly prepare?: boolean
  /** URL to LISTEN on. Behind a pooler there is no LISTEN without it, because a pooler drops notifications. */
  readonly directUrl?: string | undefined
  /** Seconds after which an unused connection is closed; undefined: never. */
  readonly idleSec?: number
}

const connectTimeoutSec = 3
const closeTimeoutMs = 5_000
const listenMs = 4_000

/**
 * Creates a pool. It connects on first use, and does not query the catalogue for types.
 * @param url `postgres://user:password@host:port/database`; the host name is resolved for each connection. `sslmode`,
 * `sslrootcert`, `sslcert` and `sslkey` work as in libpq.
 */
export function connect(url: string, options: ConnectOptions): Database {
  const { max, applicationName, prepare = true, statementMs, directUrl, idleSec } = options
  const serverMs = statementMs === undefined || !prepare ? undefined : serverMsOf(statementMs)
  const parse = (text: string): postgres.Sql['options'] => {
    const { url: address, ...tls } = takeTls(text)
    return postgres(address, {
      ...tls,
      max: 1,
      prepare,
      fetch_types: false,
      connect_timeout: connectTimeoutSec,
      onnotice: () => undefined,
      connection: {
        application_name: applicationName,
        // A pooler would refuse a connection with this parameter.
        ...(serverMs !== undefined && { statement_timeout: serverMs }),
      },
    }).options
  }
  const settings = parse(url)
  const pool = new Pool({
    max,
    settings,
    serverMs,
    idleMs: idleSec === undefined ? undefined : idleSec * 1000,
  })
  const listenUrl = directUrl ?? (prepare ? url : undefined)
  const within = (ms: number | undefined): Database => {
    // Each statement is its own transaction, so it can be resent after the server has rolled it back.
    const sql = statements((send) => sentAgain(() => pool.run(send, ms)), settings)
    return {
      sql,
      prepares: prepare,
      call: async <Result>(name: string, ...args: readonly Argument[]) => {
        const { text, values } = functionCall(name, args)
        const [row] = await sql.unsafe(text, values, { prepare })
        return row?.['result'] as Result
      },
      within,
      listen: (channels, onHint) => {
        if (listenUrl === undefined) return { stop: () => Promise.resolve() }
        const own = parse(listenUrl)
        return keepListening({
          open: (callbacks) => new Connection({ ...callbacks, settings: own, turn: 0, serverMs: undefined }),
          channels,
          onHint,
          withinMs: listenMs,
        })
      },
      close: () => pool.close(closeTimeoutMs),
    }
  }
  return within(statementMs)
}
