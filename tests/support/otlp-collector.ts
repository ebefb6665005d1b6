import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll } from 'vitest'

/** A span as it arrived. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly ms: number
  readonly status: { readonly code: number; readonly message?: string }
  readonly attributes: Readonly<Record<string, string>>
  readonly service: string
}

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: string }
}

interface WireSpan extends Omit<ReceivedSpan, 'ms' | 'attributes' | 'service'> {
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
}

interface TracesRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[]
  }[]
}

/** Starts a trace collector for one test file, which accepts OTLP over HTTP in JSON. */
export async function otlpCollector() {
  const spans: ReceivedSpan[] = []
  const headers: (string | undefined)[] = []
  let refusals = 0
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') return response.writeHead(404).end()
    if (refusals > 0) {
      refusals--
      request.resume()
      return response.writeHead(503).end()
    }
    headers.push(request.headers['x-key'] as string | undefined)
    return void json(request).then((body) => {
      spans.push(...spansIn(body as TracesRequest))
      response.setHeader('content-type', 'application/json').end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    /** The header `x-key` of each call. */
    headers,
    /** Answers the next calls with 503. */
    refuse: (count: number) => {
      refusals = count
    },
  }
}

function spansIn({ resourceSpans }: TracesRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ startTimeUnixNano, endTimeUnixNano, attributes, ...span }) => ({
        ...span,
        ms: Number((BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1_000_000n),
        attributes: textsOf(attributes),
        service: textsOf(resource.attributes)['service.name'] ?? '',
      })),
    ),
  )
}

function textsOf(attributes: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']),
  )
}
