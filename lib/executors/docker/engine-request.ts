import {
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { limits } from '#lib/core/limits.ts'

/** What the client library knows about a call of the engine's API. */
export interface EngineCall {
  /** The answer is read by the caller, piece by piece, when its status is a good one. */
  readonly isStream?: boolean
  /** The connection itself is asked for. */
  readonly hijack?: boolean
  /** Good statuses are `true`; the others have a word for the reason. */
  readonly statusCodes: Readonly<Record<number, true | string>>
}

type Finish = (error: Error | null, answer: unknown) => void

/**
 * Sends a request in place of the client library, which follows redirects past the rule for addresses, dies of a
 * redirect that it cannot read, keeps any amount of an answer in memory, and never settles when a connection ends in
 * the middle of one.
 */
export function sendToEngine(
  protocol: 'http' | 'https',
  options: RequestOptions,
  call: EngineCall,
  body: string | undefined,
  settle: Finish,
): void {
  let isSettled = false
  const finish: Finish = (error, answer) => {
    if (isSettled) return
    isSettled = true
    settle(error, answer)
  }
  const fail = (error: Error): void => finish(error, null)
  const closeEarly = (): void => fail(lost())
  let request: ClientRequest
  try {
    request = (protocol === 'https' ? httpsRequest : httpRequest)(options)
  } catch (error) {
    return fail(error as Error)
  }
  request.on('error', fail)
  // From then on, whoever reads the answer learns that it broke off.
  request.on('response', () => request.off('close', closeEarly))
  request.on('close', closeEarly)
  request.on('upgrade', (_, socket: Duplex, head: Buffer) => {
    if (call.hijack !== true) {
      socket.destroy()
      return
    }
    // It may be lost before the caller reads it, who hears of that then.
    socket.on('error', () => undefined)
    if (head.length > 0) socket.unshift(head)
    finish(null, socket)
  })
  request.on('response', (response) => {
    const isGood = call.statusCodes[response.statusCode ?? 0] === true
    if (call.isStream === true && isGood) return finish(null, response)
    void answerOf(response, isGood ? undefined : call).then((answer) => finish(null, answer), fail)
  })
  request.end(body)
}

/**
 * The answer, read to its end.
 * @param refused the call, when the status is none of the good ones
 * @throws Error then
 */
async function answerOf(response: IncomingMessage, refused: EngineCall | undefined): Promise<object> {
  const answer = parsed(await readAnswer(response))
  if (refused === undefined) return answer
  throw refusal(response, refused, answer)
}

async function readAnswer(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > limits.engineAnswerBytesMax) {
      throw new Error(
        `the container engine sent an answer of more than ${limits.engineAnswerBytesMax / 1_048_576} MiB`,
      )
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** JSON, or the bytes. An object in any case, because the library reads its properties. */
function parsed(bytes: Buffer): object {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : bytes
  } catch {
    return bytes
  }
}

/** An error in the form of the library: see `faultOf`. */
function refusal({ statusCode = 0 }: IncomingMessage, call: EngineCall, json: object): Error {
  const { message } = json as { message?: unknown }
  const reason = call.statusCodes[statusCode] ?? 'unexpected'
  const text = Buffer.isBuffer(json) ? json.toString('utf8', 0, limits.stepErrorLengthMax).trim() : ''
  const said = typeof message === 'string' ? message : text
  return Object.assign(new Error(`(HTTP code ${statusCode}) ${reason} - ${said}`), { statusCode, json })
}

function lost(): Error {
  return Object.assign(new Error('it closed the connection before its answer was complete'), {
    code: 'ECONNRESET',
  })
}
