import postgres from 'postgres'
import { Connection, serverMsOf } from './connection.ts'
import { functionCall, type Argument } from './function-call.ts'
import { keepListening, type Listening } from './keep-listening.ts'
import { Pool } from './pool.ts'
import { sentAgain } from './sent-again.ts'
import { statements, type Sql } from './statement.ts'
import { takeTls } from './tls.ts'

/**
 * A pool of connections to the one state engine. Every use is one statement, see ARCHITECTURE.md on transactions;
 * deadlocks and serialisation failures are retried.
 */
export interface Database {
  readonly sql: Sql
  /** Whether statements are prepared. Not behind a pooler, where the next statement may use another connection. */
  readonly prepares: boolean
  /**
   * Calls a function of the schema `millrace` as one statement and answers with its result. Arguments that are objects
   * or lists travel as JSON, keys as bigint.
   */
  readonly call: <Result>(name: string, ...args: readonly Argument[]) => Promise<Result>
  /** The same pool with another time limit per statement, milliseconds. */
  readonly within: (ms: number) => Database
  /** Listens on a connection of its own, which reconnects by itself; `onHint` is also called after each reconnect. */
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
 * Opens a pool. No type is looked up in the catalogue, and nothing is sent before the first use.
 * @param url of the form `postgres://user:password@host:port/database`; the name of the host is looked up for each
 * connection. `sslmode`, `sslrootcert`, `sslcert` and `sslkey` are understood as libpq does.
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
        // A pooler would refuse the connection for it.
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
    // Each statement is a transaction of its own, so one that the server has rolled back can be sent again.
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
          open: (options) => new Connection({ ...options, settings: own, turn: 0, serverMs: undefined }),
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
