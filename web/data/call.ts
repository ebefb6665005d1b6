import type { Signal } from '@preact/signals'
import { createClient, type Answer, type Arguments, type OperationId } from '#lib/client/client.ts'

/** A call that was refused or did not arrive, with the words of the service. */
export class CallFailure extends Error {
  /** 0: nothing was answered. */
  readonly status: number
  readonly requestId: string
  /** What is wrong with each part of what was sent, where the service says so. */
  readonly faults: readonly string[]

  constructor(message: string, status: number, requestId = '', faults: readonly string[] = []) {
    super(message)
    this.status = status
    this.requestId = requestId
    this.faults = faults
  }
}

type Good<Id extends OperationId> = Extract<Answer<Id>, { status: 200 | 201 }>['body']

/** Calls an operation; answers what a good answer holds. @throws CallFailure */
export type Ask = <Id extends OperationId>(id: Id, ...request: Arguments<Id>) => Promise<Good<Id>>

interface Watched {
  /** Whether the last call was answered. */
  readonly isReached: Signal<boolean>
  /** Becomes true when the service asks who calls. */
  readonly mustSignIn: Signal<boolean>
  /** By how much the clock of the service is ahead, milliseconds. */
  readonly clockAheadMs: Signal<number>
}

/** Sends the calls of the page, and notes what each answer tells about the service. */
export function createSend(watched: Watched): (request: Request) => Promise<Response> {
  return async (request) => {
    request.headers.set('x-millrace', '1')
    let answer: Response
    try {
      answer = await fetch(request)
    } catch {
      watched.isReached.value = false
      throw new CallFailure('the service cannot be reached', 0)
    }
    watched.isReached.value = true
    const date = Date.parse(answer.headers.get('date') ?? '')
    const ahead = date - Date.now()
    if (Math.abs(ahead - watched.clockAheadMs.value) > 2_000) watched.clockAheadMs.value = ahead
    if (answer.status === 401 && !new URL(request.url).pathname.endsWith('/session')) {
      watched.mustSignIn.value = true
    }
    return answer
  }
}

/** @param base of the page; the API lies below it */
export function createAsk(base: URL, send: (request: Request) => Promise<Response>): Ask {
  const call = createClient({ baseUrl: new URL('api/v2', base).href, fetch: send })
  return async (id, ...request) => {
    const answer = await call(id, ...request)
    const { status, headers, body } = answer as { status: number; headers: Headers; body: unknown }
    if (status >= 200 && status < 300) return body as never
    const requestId = headers.get('x-request-id') ?? ''
    throw new CallFailure(messageOf(body, status), status, requestId, faultsOf(body))
  }
}

/** What the service says of an error, whatever answered. */
export function messageOf(body: unknown, status: number): string {
  const message = (body as { message?: unknown } | undefined)?.message
  return typeof message === 'string' ? message : `the service answered ${status}`
}

function faultsOf(body: unknown): string[] {
  const { details } = body as { details?: { faults?: unknown } }
  return Array.isArray(details?.faults) ? details.faults.map(String) : []
}

/** 128 random bits, also where a page without TLS has no `randomUUID`. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
