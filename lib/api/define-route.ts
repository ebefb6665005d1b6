import type { GenericSchema, InferOutput } from 'valibot'
import type { ErrorCode, ServiceError } from '#lib/core/errors.ts'
import type { Access } from '#lib/api/auth/access.ts'
import type { Caller } from '#lib/api/auth/auth.ts'
import type { EventStream } from '#lib/api/streams/event-stream.ts'
import type { LogText } from '#lib/api/logs/log-text.ts'
import type { Rows } from '#lib/api/answers/rows.ts'
import type { Streamed } from '#lib/api/answers/streamed.ts'
import type { AuditChange } from '#lib/audit/audit-entry.ts'
import type { Services } from './services.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

type Parsed<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : undefined

export interface RouteInput<Params, Query, Body> {
  readonly params: Parsed<Params>
  readonly query: Parsed<Query>
  readonly body: Parsed<Body>
  /** Headers of the request. */
  readonly headers: Headers
  readonly caller: Caller
  readonly origin: CallOrigin
  /** Adds to the audit entry of the call what it has changed; nothing secret. */
  readonly noteChanges: (changes: readonly AuditChange[]) => void
}

/** Where a call comes from. */
export interface CallOrigin {
  /** Empty when it is not known. */
  readonly address: string
  /** Whether the caller uses https, as far as this instance or the proxy before it knows. */
  readonly isSecure: boolean
}

type Optional<Schema> = Schema extends GenericSchema ? Schema : undefined

/** One endpoint, as data. The router, the OpenAPI document and the tests read this record. */
export interface Route<
  Params extends GenericSchema | undefined = GenericSchema | undefined,
  Query extends GenericSchema | undefined = GenericSchema | undefined,
  Body extends GenericSchema | undefined = GenericSchema | undefined,
  ResponseBody extends GenericSchema | undefined = GenericSchema | undefined,
> {
  readonly method: Method
  /** Relative to the base path, with `{name}` for a parameter. */
  readonly path: string
  /** Alternative paths, used by later clients of the same API. */
  readonly aliases?: readonly string[]
  /** Same name as the file and the export. */
  readonly operationId: string
  readonly summary: string
  readonly access: Access
  /** Accepts an `Idempotency-Key`. */
  readonly idempotent?: true
  /** Accepts `If-Match`: the entity tag of what the caller has seen. */
  readonly conditional?: true
  /** Status of a successful answer. */
  readonly status: 200 | 201 | 204
  /** Codes that this endpoint itself may answer; the router adds its own. */
  readonly errors: readonly ErrorCode[]
  /** Exceptions to the usual status of a code. */
  readonly errorStatus?: Readonly<Partial<Record<ErrorCode, 400 | 412>>>
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** Absent: the answer has no body. */
  readonly response?: ResponseBody
  /** Content type of the answer; JSON by default. */
  readonly responseType?:
    | 'application/json'
    | 'application/x-ndjson'
    | 'text/plain; charset=utf-8'
    | 'text/plain; version=0.0.4; charset=utf-8'
    | 'text/event-stream'
  /** A list that is also available with one item per line, for callers that accept it. */
  readonly asLines?: true
  handle(
    input: RouteInput<Params, Query, Body>,
    services: Services,
  ): Promise<
    | Parsed<Optional<ResponseBody>>
    | Answer<Parsed<Optional<ResponseBody>>>
    | NoContent
    | Json
    | Rows
    | LogText
    | Streamed
    | EventStream
    | void
  >
}

/** An answer with its own status or headers. */
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

/** The answer to somebody who has just proven who they are. */
export class SignedIn<Body> extends Answer<Body> {
  readonly caller: Caller

  constructor(body: Body, caller: Caller, headers: Readonly<Record<string, string>>) {
    super(body, { headers })
    this.caller = caller
  }
}

/** What one call did in the name of several. */
export interface MadeCall {
  readonly route: Pick<Route, 'operationId' | 'access'>
  /** Below the base path. */
  readonly path: string
  readonly status: number
  readonly failure: ServiceError | undefined
  readonly changes: readonly AuditChange[]
}

/** The answer to a batch call: its single calls are audited instead of it. */
export class Batched<Body> extends Answer<Body> {
  readonly calls: readonly MadeCall[]

  constructor(body: Body, calls: readonly MadeCall[]) {
    super(body, {})
    this.calls = calls
  }
}

/** Answers 204: there is nothing to report (any more). */
export class NoContent extends Answer<undefined> {
  constructor(headers: Readonly<Record<string, string>> = {}) {
    super(undefined, { status: 204, headers })
  }
}

/** An answer that is JSON text already. Its type is not checked; tests check it against the schema of the route. */
export class Json {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Returns its argument. It exists so that `handle` gets the types of the schemas. */
export function defineRoute<
  Params extends GenericSchema | undefined = undefined,
  Query extends GenericSchema | undefined = undefined,
  Body extends GenericSchema | undefined = undefined,
  ResponseBody extends GenericSchema | undefined = undefined,
>(route: Route<Params, Query, Body, ResponseBody>): Route<Params, Query, Body, ResponseBody> {
  return route
}
