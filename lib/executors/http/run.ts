import { STATUS_CODES } from 'node:http'
import { Agent, interceptors, request as send, type Dispatcher } from 'undici'
import { messageOf } from '#lib/core/errors.ts'
import { GrowingBytes } from '#lib/core/growing-bytes.ts'
import { limits } from '#lib/core/limits.ts'
import type { Executor, StepContext, StepOutcome } from '../executor.ts'
import { addressRule } from '../metadata-addresses.ts'
import { KeyedSemaphore } from '../keyed-semaphore.ts'
import { answerAsJson } from './answer-json.ts'
import { boundedConnector } from './bounded-connector.ts'
import { guardedConnector } from './guard-addresses.ts'
import { readRequest, type HttpRequest } from './request.ts'

type Answer = Dispatcher.ResponseData

const redirectsMax = 10

/** Sends one request and prints the answer. A status other than 2xx fails the step. */
export const httpExecutor: Executor = { run: runRequest }

async function runRequest(context: StepContext): Promise<StepOutcome> {
  try {
    const request = readRequest(context)
    const status = await exchange(request, context)
    const isGood = status >= 200 && status < 300
    return isGood ? { exitCode: 0, error: '' } : failure(`http status code not 2xx: ${status}`)
  } catch (error) {
    return failure(context.signal.aborted ? 'the request was stopped' : reasonOf(error))
  }
}

/** @returns the status of the answer */
async function exchange(request: HttpRequest, context: StepContext): Promise<number> {
  const { url, method, headers, body, timeoutMs } = request
  const isAllowed = addressRule(context.settings.httpAllow)
  const connect = boundedConnector(guardedConnector(isAllowed, { rejectUnauthorized: request.verifyTls }))
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 })
  const late = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)]
  const signal = AbortSignal.any([context.signal, ...late])
  try {
    if (request.debug) await context.stderr(Buffer.from(`${method} ${url.href}\n`))
    const answer = await send(url, {
      dispatcher: agent.compose(interceptors.redirect({ maxRedirections: redirectsMax })),
      method,
      headers: { ...headers },
      body: body ?? null,
      signal,
    })
    await print(answer, request, { ...context, signal })
    return answer.statusCode
  } catch (error) {
    if (late.some((signal) => signal.aborted))
      throw new Error(`no answer within ${(timeoutMs ?? 0) / 1_000} s`, { cause: error })
    throw error
  } finally {
    await agent.destroy()
  }
}

async function print(answer: Answer, request: HttpRequest, context: StepContext): Promise<void> {
  const { stdout } = context
  const isGood = answer.statusCode >= 200 && answer.statusCode < 300
  if (request.json) return await printJson(answer, context)
  if (!request.silent || !isGood) {
    const lines = headersOf(answer).flatMap(([name, values]) => values.map((value) => `${name}: ${value}\n`))
    await stdout(Buffer.from([`${statusLine(answer)}\n`, ...lines].join('')))
  }
  for await (const piece of bounded(answer, limits.httpBodyBytesMax)) await stdout(piece)
}

/** Otherwise a DAG with many parallel requests would use up the memory of the runner. */
const semaphore = new KeyedSemaphore(limits.httpJsonPerRunMax)

/** Holds the body in memory, which few requests of a run do at the same time: the others read theirs later. */
async function printJson(answer: Answer, { stdout, run, signal }: StepContext): Promise<void> {
  const giveBack = await semaphore.acquire(run?.runKey ?? '', signal)
  try {
    const { statusCode } = answer
    const text = answerAsJson({ statusCode, headers: headersOf(answer), body: await bodyOf(answer) })
    await stdout(Buffer.from(text))
  } finally {
    giveBack()
  }
}

async function bodyOf(answer: Answer): Promise<string> {
  const bytes = new GrowingBytes()
  for await (const piece of bounded(answer, limits.httpJsonBytesMax)) bytes.add(piece)
  return bytes.take().toString('utf8')
}

async function* bounded(answer: Answer, bytesMax: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    if (bytes > bytesMax) throw new Error(`the body of the answer is larger than ${bytesMax} bytes`)
    yield piece
  }
}

function statusLine({ statusCode }: Answer): string {
  return `${statusCode} ${STATUS_CODES[statusCode] ?? ''}`.trim()
}

/** By name, in the spelling that people know: `Content-Type`. */
function headersOf({ headers }: Answer): [string, string[]][] {
  return Object.entries(headers)
    .flatMap(([name, value]): [string, string[]][] => {
      if (value === undefined) return []
      const spelled = name.replaceAll(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase())
      return [[spelled, [value].flat()]]
    })
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}

function failure(error: string): StepOutcome {
  return { exitCode: 1, error }
}

/** When several addresses were tried in vain, the combined error has no message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ')
  return messageOf(error)
}
