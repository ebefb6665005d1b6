import { effect, type Signal } from '@preact/signals'
import { createClient, type Answer, type Arguments, type OperationId } from '#lib/client/client.ts'
import type { KnownAnswers } from './known-answers.ts'

/** A call that was refused or did not arrive, with the service's message. */
export class CallFailure extends Error {
  /** 0: nothing was answered. */
  readonly status: number
  readonly requestId: string
  /** The errors of the single fields, if the service names them. */
  readonly faults: readonly string[]

  constructor(message: string, status: number, requestId = '', faults: readonly string[] = []) {
    super(message)
    this.status = status
    this.requestId = requestId
    this.faults = faults
  }
}

type Good<Id extends OperationId> = Extract<Answer<Id>, { status: 200 | 201 }>['body']

/** Calls an operation and returns the body of a successful answer. @throws CallFailure */
export type Ask = <Id extends OperationId>(id: Id, ...request: Arguments<Id>) => Promise<Good<Id>>

interface Watched {
  /** Whether the last call was answered. */
  readonly isReached: Signal<boolean>
  /** Becomes true when the service asks for a credential. */
  readonly mustSignIn: Signal<boolean>
  /** Counts users who have left: their pending calls are not sent in the name of the next user. */
  readonly departures: Signal<number>
  /** How far the clock of the service is ahead, milliseconds. */
  readonly clockAheadMs: Signal<number>
}

/**
 * Sends the calls of the page, and notes what each response says about the service. A call that is refused because a
 * session has expired waits until the user has signed in again, and is then repeated.
 */
export function createSend(watched: Watched): (request: Request) => Promise<Response> {
  return async (request) => {
    request.headers.set('x-millrace', '1')
    const ofSession = new URL(request.url).pathname.endsWith('/session')
    for (;;) {
      const answer = await sent(ofSession ? request : request.clone(), watched)
      if (answer.status !== 401 || ofSession) return answer
      watched.mustSignIn.value = true
      await signedIn(watched, request.signal)
    }
  }
}

/** @throws CallFailure */
async function sent(request: Request, { isReached, clockAheadMs }: Watched): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(request)
  } catch {
    if (!request.signal.aborted) isReached.value = false
    throw new CallFailure('the service cannot be reached', 0)
  }
  isReached.value = true
  const date = Date.parse(answer.headers.get('date') ?? '')
  const ahead = date - Date.now()
  if (Math.abs(ahead - clockAheadMs.value) > 2_000) clockAheadMs.value = ahead
  return answer
}

/** @throws CallFailure when the user has signed out, or no longer waits for the response */
function signedIn({ mustSignIn, departures }: Watched, given: AbortSignal): Promise<void> {
  const before = departures.peek()
  return new Promise((resolve, reject) => {
    const settle = (done: () => void): void => {
      leave()
      given.removeEventListener('abort', giveUp)
      done()
    }
    const giveUp = (): void => settle(() => reject(new CallFailure('nobody has signed in', 401)))
    given.addEventListener('abort', giveUp)
    const leave = effect(() => {
      if (departures.value !== before) queueMicrotask(giveUp)
      else if (!mustSignIn.value) queueMicrotask(() => settle(resolve))
    })
  })
}

/**
 * @param base of the page; the API lies below it
 * @param tags gets the entity tag of each good answer
 */
export function createAsk(
  base: URL,
  send: (request: Request) => Promise<Response>,
  tags: WeakMap<object, string>,
  known: KnownAnswers,
): Ask {
  const call = createClient({ baseUrl: new URL('api/v2', base).href, fetch: send })
  return async (id, ...given) => {
    const [request = {}] = given as [{ readonly headers?: object }?]
    const asked = JSON.stringify([id, request])
    const held = known.get(asked)
    const headers = { ...(held && { 'if-none-match': held.tag }), ...request.headers }
    const answer = (await call(id, ...([{ ...request, headers }] as never))) as {
      status: number
      headers: Headers
      body: unknown
    }
    const { status, body } = answer
    if (status === 304 && held !== undefined) return held.body as never
    if (status >= 200 && status < 300) {
      if (typeof body === 'object' && body !== null) {
        const tag = answer.headers.get('etag') ?? ''
        tags.set(body, tag)
        if (tag.startsWith('W/')) known.keep(asked, { body, tag })
      }
      return body as never
    }
    const requestId = answer.headers.get('x-request-id') ?? ''
    throw new CallFailure(messageOf(body, status), status, requestId, faultsOf(body))
  }
}

/** The message of an error, even if a proxy sent it. */
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
