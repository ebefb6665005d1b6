import postgres from 'postgres'
import { passesByRetry } from './errors.ts'

export type Sql = postgres.Sql

/** A pool of connections to the one state engine. Every use is one statement: see ARCHITECTURE.md on transactions. */
export interface Database {
  readonly sql: Sql
  /** Statements may be kept prepared; not behind a pooler, where the next one meets another connection. */
  readonly prepares: boolean
  /**
   * Calls a function of the schema `millrace` as one statement and answers with its result. Arguments that are objects
   * or lists travel as JSON. Deadlocks and serialisation failures are tried once more.
   */
  readonly call: <Result>(name: string, ...args: readonly Argument[]) => Promise<Result>
  /** Listens on a connection of its own, which comes back by itself; `onHint` is also called after it came back. */
  readonly listen: (channels: readonly string[], onHint: (channel: string) => void) => Promise<Listening>
  readonly close: () => Promise<void>
}

export type Argument = string | number | boolean | null | object

export interface Listening {
  readonly stop: () => Promise<void>
}

export interface ConnectOptions {
  readonly max: number
  readonly applicationName: string
  /** False behind a pooler that shares connections between transactions. */
  readonly prepare?: boolean
  /** Where to listen; without it a pooled database is not listened to, as a pooler loses what is said. */
  readonly directUrl?: string | undefined
  /** Seconds after which a connection that is not used is closed; without it none is. */
  readonly idleSec?: number
}

const connectTimeoutSec = 10
const closeTimeoutSec = 5

/**
 * Opens a pool. No type is looked up in the catalogue, and nothing is sent before the first use.
 * @param url of the form `postgres://user:password@host:port/database`
 */
export function connect(url: string, options: ConnectOptions): Database {
  const { max, applicationName, prepare = true, directUrl, idleSec } = options
  const listenUrl = directUrl ?? (prepare ? url : undefined)
  const settings = {
    prepare,
    fetch_types: false,
    connect_timeout: connectTimeoutSec,
    onnotice: () => undefined,
    connection: { application_name: applicationName },
  }
  const sql = postgres(url, { ...settings, max, ...(idleSec !== undefined && { idle_timeout: idleSec }) })
  return {
    sql,
    prepares: prepare,
    call: async <Result>(name: string, ...args: readonly Argument[]) => {
      const places = args.map((arg, index) => `$${index + 1}${castOf(arg)}`).join(', ')
      const values = args.map((arg) => (typeof arg === 'object' && arg !== null ? storableJson(arg) : arg))
      const ask = () => sql.unsafe(`select millrace.${name}(${places}) as result`, values, { prepare })
      const [row] = await once(ask)
      return row?.['result'] as Result
    },
    listen: async (channels, onHint) => {
      if (listenUrl === undefined) return { stop: () => Promise.resolve() }
      const own = postgres(listenUrl, { ...settings, max: 1 })
      for (const channel of channels) {
        const hint = (): void => onHint(channel)
        await own.listen(channel, hint, hint)
      }
      return { stop: () => own.end({ timeout: closeTimeoutSec }) }
    },
    close: () => sql.end({ timeout: closeTimeoutSec }),
  }
}

/** The driver would encode a text for a jsonb parameter a second time: it goes as text and becomes jsonb there. */
function castOf(arg: Argument): string {
  if (arg === null) return ''
  if (typeof arg === 'object') return '::text::jsonb'
  if (typeof arg === 'boolean') return '::boolean'
  return typeof arg === 'number' ? '::int' : '::text'
}

async function once<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (!passesByRetry(error)) throw error
    return await ask()
  }
}

/**
 * JSON as jsonb takes it: NUL characters are left out and halves of surrogate pairs replaced. Both reach us from
 * outputs and params of runs; a refused statement would cut the runner off from all its runs.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return json.replaceAll(/\\(?:u0000|ud[89a-f][\da-f]{2}|.)/g, (escape) => {
    if (escape === '\\u0000') return ''
    return escape.startsWith('\\ud') ? '\ufffd' : escape
  })
}
