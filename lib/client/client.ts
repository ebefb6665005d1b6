import { endpoints, type Operations } from './api-types.gen.ts'

/** A typed TypeScript client of this API: every operation by its name, with the types of the OpenAPI document. */

export type OperationId = keyof Operations
type Request<Id extends OperationId> = Operations[Id]['request']
type Responses<Id extends OperationId> = Operations[Id]['responses']

/** One variant per documented status: `if (answer.status === 200) answer.body…`. */
export type Answer<Id extends OperationId> = Id extends OperationId
  ? {
      [Status in keyof Responses<Id>]: { status: Status; headers: Headers; body: Responses<Id>[Status] }
    }[keyof Responses<Id>]
  : never

export type Arguments<Id extends OperationId> =
  object extends Request<Id> ? [request?: Request<Id>] : [request: Request<Id>]

export interface ClientOptions {
  /** Must end in /api/v2. */
  readonly baseUrl: string
  /** Value of the `Authorization` header, such as `Bearer …`. */
  readonly authorization?: string
  /** Sends the request; default: the platform's `fetch`. */
  readonly fetch?: (request: globalThis.Request) => Promise<Response> | Response
}

/** What the requests of all operations have in common. */
interface AnyRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * Creates a function that calls an operation and returns the response, also for error statuses. JSON bodies are parsed,
 * event streams and JSON lines are returned as streams, everything else as text.
 */
export function createClient(options: ClientOptions) {
  const send = options.fetch ?? ((request: globalThis.Request) => fetch(request))
  return async function call<Id extends OperationId>(
    id: Id,
    ...[request]: Arguments<Id>
  ): Promise<Answer<Id>> {
    const response = await send(requestOf(id, request ?? {}, options))
    const body = await bodyOf(response)
    return { status: response.status, headers: response.headers, body } as Answer<Id>
  }
}

function requestOf(id: OperationId, given: AnyRequest, options: ClientOptions): globalThis.Request {
  const [method, path] = endpoints[id]
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(given.params?.[name] ?? ''),
  )
  const url = new URL(options.baseUrl.replace(/\/$/, '') + filled)
  for (const [name, value] of Object.entries(given.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const headers = new Headers(given.headers)
  if (options.authorization !== undefined) headers.set('authorization', options.authorization)
  if (given.body === undefined) return new Request(url, { method, headers })
  headers.set('content-type', 'application/json')
  return new Request(url, { method, headers, body: JSON.stringify(given.body) })
}

async function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type')
  if (type === null) return undefined
  if (type.startsWith('application/json')) return await response.json()
  return /^(text\/event-stream|application\/x-ndjson)/.test(type) ? response.body : response.text()
}
