import { text } from 'node:stream/consumers'
import type { LambdaFunction } from './platform.ts'

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface HttpCall {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The address of the caller. */
  readonly sourceIp?: string
  readonly timeoutMs?: number
}

/** Calls a function as an HTTP API or a function URL of AWS does (payload format 2.0). */
export function callHttp(
  target: LambdaFunction,
  method: string,
  path: string,
  { body, headers = {}, sourceIp = '203.0.113.7', timeoutMs }: HttpCall = {},
): Promise<AsyncIterable<Buffer>> {
  const [rawPath = '', rawQueryString = ''] = path.split('?')
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers: { host: 'millrace.lambda-url.test', 'content-type': 'application/json', ...headers },
    requestContext: { http: { method, path: rawPath, sourceIp }, domainName: 'millrace.lambda-url.test' },
    isBase64Encoded: false,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  return target.call(event, timeoutMs)
}

/** Reads a buffered response. */
export async function readBuffered(answer: AsyncIterable<Buffer>): Promise<HttpAnswer> {
  const { statusCode, headers, body } = JSON.parse(await text(answer)) as {
    statusCode: number
    headers: Record<string, string>
    body: string
  }
  return { status: statusCode, headers, body }
}

/** Reads a streamed response, whose status and headers come before eight zero bytes. */
export async function* readStreamed(answer: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let prelude: Buffer | undefined = Buffer.alloc(0)
  for await (const piece of answer) {
    if (prelude === undefined) {
      yield piece.toString()
      continue
    }
    prelude = Buffer.concat([prelude, piece])
    const end = prelude.indexOf(Buffer.alloc(8))
    if (end < 0) continue
    yield prelude.toString('utf8', 0, end)
    const rest = prelude.toString('utf8', end + 8)
    prelude = undefined
    if (rest !== '') yield rest
  }
}
