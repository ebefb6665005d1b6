import type { Readable } from 'node:stream'
import type { RemoteNode } from '#lib/config/remote-nodes.ts'
import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { Caller } from '#lib/api/auth/auth.ts'
import type { Dispatcher } from 'undici'

/** A call to forward. Nothing in it identifies the caller; only the role goes with it. */
export interface ForwardedCall {
  readonly method: string
  /** Path relative to the base URL, with the query. */
  readonly target: string
  /** All headers of the caller; only those on the list below are forwarded. */
  readonly headers: Headers
  readonly body: Uint8Array | undefined
  readonly requestId: string
  readonly role: Caller['role']
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal
}

/** The role of the caller for whom a call is forwarded: the node grants no more. */
export const roleHeader = 'x-millrace-role'

/** Marks a forwarded call, so that the node does not forward it again. */
export const forwardedHeader = 'x-millrace-forwarded'

const passedOn = ['accept', 'content-type', 'idempotency-key', 'if-match', 'last-event-id']
const passedBack = ['content-type', 'content-encoding', 'etag', 'retry-after']
const usefulTypes = /^(application\/(json|x-ndjson)|text\/(plain|event-stream))\s*(;|$)/i

/**
 * Calls a node with its own credential. Redirects are not followed; the answer is streamed through.
 * @param silenceMs maximum time until the answer begins, and between two parts of it
 */
export async function forwardCall(
  node: RemoteNode,
  call: ForwardedCall,
  silenceMs: number,
): Promise<Response> {
  // Loaded lazily: without configured nodes, the client is not needed.
  const { Agent, request } = await import('undici')
  const dispatcher = agentOf(node, () => new Agent({ connections: connectionsMax }))
  const late = new AbortController()
  const timer = setTimeout(() => {
    late.abort()
  }, silenceMs)
  const signal = AbortSignal.any([call.signal, late.signal])
  let answer: Dispatcher.ResponseData
  try {
    const asked = request(node.baseUrl + call.target, {
      dispatcher,
      method: call.method,
      headers: headersFor(node, call),
      body: call.body ?? null,
      bodyTimeout: silenceMs,
      signal,
    })
    answer = await Promise.race([asked, aborted(signal)])
  } catch (cause) {
    throw connectionFault(node, cause, late.signal.aborted)
  } finally {
    clearTimeout(timer)
  }
  const type = headerOf(answer, 'content-type')
  const fault = faultOf(answer, type)
  const hasBody = fault === undefined && type !== undefined && call.method !== 'HEAD'
  if (!hasBody) void answer.body.dump().catch(() => undefined)
  if (fault !== undefined) throw new ServiceError('bad_gateway', `node ${JSON.stringify(node.name)} ${fault}`)
  const headers = new Headers(
    passedBack.flatMap((name): [string, string][] => {
      const value = headerOf(answer, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return new Response(hasBody ? bounded(answer.body) : null, { status: answer.statusCode, headers })
}

/** Measured: in undici, a call that waits for a connection ignores its abort signal. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('given up', { cause: signal.reason }))
    })
  })
}

/**
 * Connections to one node: as many as streams it serves, and some for other calls. They are kept for the process's
 * life.
 */
const connectionsMax = limits.eventStreamsMax + 128
const agents = new WeakMap<RemoteNode, Dispatcher>()

function agentOf(node: RemoteNode, make: () => Dispatcher): Dispatcher {
  const agent = agents.get(node) ?? make()
  agents.set(node, agent)
  return agent
}

function headersFor(node: RemoteNode, call: ForwardedCall): Record<string, string> {
  const headers: Record<string, string> = { 'x-request-id': call.requestId, [forwardedHeader]: '1' }
  for (const name of passedOn) {
    const value = call.headers.get(name)
    if (value !== null) headers[name] = value
  }
  if (call.role !== undefined) headers[roleHeader] = call.role
  if (node.authorization !== undefined) headers['authorization'] = node.authorization
  return { ...headers, 'accept-encoding': 'identity' }
}

function headerOf(answer: Dispatcher.ResponseData, name: string): string | undefined {
  const value = answer.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Why an answer is unusable; undefined: it is passed through, refusals of the node included. */
function faultOf({ statusCode }: Dispatcher.ResponseData, type: string | undefined): string | undefined {
  if (statusCode === 401) return 'refuses the configured credential'
  const isOfUse = [2, 4].includes(Math.floor(statusCode / 100)) || statusCode === 503
  if (!isOfUse) return `answered with the status ${statusCode}`
  if (type !== undefined && !usefulTypes.test(type)) return 'answered with something other than this API'
  return undefined
}

function connectionFault(node: RemoteNode, cause: unknown, isLate: boolean): ServiceError {
  const name = JSON.stringify(node.name)
  if (cause instanceof Error && cause.name === 'HTTPParserError') {
    return new ServiceError('bad_gateway', `node ${name} answered with something that is not HTTP`, { cause })
  }
  const why = isLate ? 'did not answer in time' : 'cannot be reached'
  return new ServiceError('remote_node_error', `node ${name} ${why}`, { cause })
}

/** Cuts off an answer that is too large; by then its status has been sent. */
function bounded(body: Readable): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
  let size = 0
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done === true) return controller.close()
      size += value.byteLength
      if (size <= limits.remoteAnswerBytesMax) return controller.enqueue(value)
      body.destroy()
      throw new Error('the answer of a remote node is too large')
    },
    cancel() {
      body.destroy()
    },
  })
}
