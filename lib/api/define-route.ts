import type { GenericSchema, InferOutput } from 'valibot'
import type { ErrorCode } from '#lib/core/errors.ts'
import type { Caller } from './auth.ts'
import type { EventStream } from './event-stream.ts'
import type { Rows } from './rows.ts'
import type { Services } from './services.ts'

/**
 * Who may call a route. The order is the order of the roles: whoever may write may also run and read.
 * `tick` is for the clock alone, and for admins. There is no default: a route without an access rule does not compile.
 */
export type Access = 'public' | 'read' | 'run' | 'write' | 'admin' | 'tick'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

type Parsed<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : undefined

export interface RouteInput<Params, Query, Body> {
  readonly params: Parsed<Params>
  readonly query: Parsed<Query>
  readonly body: Parsed<Body>
  /** Headers of the request. */
  readonly headers: Headers
  readonly caller: Caller
}

type Optional<Schema> = Schema extends GenericSchema ? Schema : undefined

/** One endpoint, as data: the router, the OpenAPI document and the tests all read this record. */
export interface Route<
  Params extends GenericSchema | undefined = GenericSchema | undefined,
  Query extends GenericSchema | undefined = GenericSchema | undefined,
  Body extends GenericSchema | undefined = GenericSchema | undefined,
  Reply extends GenericSchema | undefined = GenericSchema | undefined,
> {
  readonly method: Method
  /** Below the base path, with `{name}` for a parameter. */
  readonly path: string
  /** Second spellings of the path that later clients of the same API use. */
  readonly aliases?: readonly string[]
  /** The same word as the file and the export. */
  readonly operationId: string
  readonly summary: string
  readonly access: Access
  /** Takes an `Idempotency-Key`. */
  readonly idempotent?: true
  /** Of the successful answer. */
  readonly status: 200 | 201 | 204
  /** The codes that this endpoint answers by itself; those of the router come on top. */
  readonly errors: readonly ErrorCode[]
  /** Where this endpoint answers a code with another status than the rest does. */
  readonly errorStatus?: Readonly<Partial<Record<ErrorCode, 400 | 412>>>
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** Absent: the answer has no body. */
  readonly reply?: Reply
  /** Of the body; JSON unless it says otherwise. */
  readonly replyType?: 'application/json' | 'text/plain; version=0.0.4; charset=utf-8' | 'text/event-stream'
  /** A list that is also given one item a line, to callers who accept that. */
  readonly asLines?: true
  handle(
    input: RouteInput<Params, Query, Body>,
    services: Services,
  ): Promise<
    Parsed<Optional<Reply>> | Answer<Parsed<Optional<Reply>>> | NoContent | Json | Rows | EventStream | void
  >
}

/** An answer with a status or headers of its own. */
export class Answer<Body> {
  readonly body: Body
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(body: Body, options: { status?: number; headers?: Readonly<Record<string, string>> }) {
    this.body = body
    this.status = options.status
    this.headers = options.headers ?? {}
  }
}

/** Says that there is nothing (more) to tell, where an answer would have a body. */
export class NoContent extends Answer<undefined> {
  constructor() {
    super(undefined, { status: 204 })
  }
}

/** An answer that is written already. Not checked by its type: in tests, against the schema. */
export class Json {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Returns its argument: here only so that the types of the schemas reach `handle`. */
export function defineRoute<
  Params extends GenericSchema | undefined = undefined,
  Query extends GenericSchema | undefined = undefined,
  Body extends GenericSchema | undefined = undefined,
  Reply extends GenericSchema | undefined = undefined,
>(route: Route<Params, Query, Body, Reply>): Route<Params, Query, Body, Reply> {
  return route
}
