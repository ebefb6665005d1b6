import { messageOf } from '#lib/core/errors.ts'
import type { Log } from './log.ts'
import type { TraceContext } from './trace-context.ts'

/** A finished piece of work. Times are milliseconds since 1970. */
export interface Span extends TraceContext {
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Readonly<Record<string, string | number>>
  /** Undefined: no error. */
  readonly error: string | undefined
}

export interface Traces {
  /** Never throws and never waits. */
  readonly add: (span: Span) => void
  /** Sends the remaining spans, within a short time. */
  readonly close: () => Promise<void>
}

export interface OtlpTarget {
  /** Without `/v1/traces`, as in `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
}

const sendDelayMs = 1_000
const batchMax = 256
const pendingMax = 4_096
const responseMsMax = 5_000

/**
 * Sends spans to a collector (OTLP over HTTP, JSON). Spans that cannot be sent are retried with the next ones; when too
 * many are pending, the oldest are dropped.
 */
export function exportTraces(target: OtlpTarget, log: Pick<Log, 'warn'>): Traces {
  const url = `${target.endpoint.replace(/\/$/, '')}/v1/traces`
  const headers = { ...target.headers, 'content-type': 'application/json' }
  const pending: Span[] = []
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<boolean> | undefined
  let hasFailed = false

  const send = async (): Promise<boolean> => {
    const batch = pending.slice(0, batchMax)
    try {
      const body = JSON.stringify(otlpTraces(target.serviceName, batch))
      const signal = AbortSignal.timeout(responseMsMax)
      const response = await fetch(url, { method: 'POST', headers, body, signal })
      await response.arrayBuffer()
      // With any other status, the collector will never accept the spans.
      if (response.status === 429 || response.status >= 500) throw new Error(`it answered ${response.status}`)
      if (!response.ok) logLost(batch.length, `it answered ${response.status}`)
      for (const span of batch) {
        const at = pending.indexOf(span)
        if (at >= 0) pending.splice(at, 1)
      }
      hasFailed = false
      return true
    } catch (error) {
      if (!hasFailed) log.warn({ event: 'trace.delayed', why: messageOf(error) }, 'spans could not be sent')
      hasFailed = true
      return false
    }
  }
  const logLost = (count: number, why: string): void =>
    log.warn({ event: 'trace.lost', count, why }, 'spans were dropped')
  const flush = (): Promise<boolean> => (sending ??= send().finally(() => (sending = undefined)))
  const later = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      void flush().then(() => {
        if (pending.length > 0) later()
      })
    }, sendDelayMs).unref()
  }
  return {
    add: (span) => {
      if (pending.push(span) > pendingMax) {
        pending.splice(0, batchMax)
        logLost(batchMax, 'too many wait')
      }
      later()
    },
    close: async () => {
      clearTimeout(timer)
      await sending
      while (pending.length > 0 && (await flush()));
      if (pending.length > 0) logLost(pending.length, 'the process ends')
    },
  }
}

/** https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
function otlpTraces(serviceName: string, spans: readonly Span[]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': serviceName }) },
        scopeSpans: [{ scope: { name: 'millrace' }, spans: spans.map(otlpSpan) }],
      },
    ],
  }
}

function otlpSpan(span: Span): object {
  const { traceId, spanId, parentSpanId, name, error } = span
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: 1,
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(span.endedAt),
    attributes: attributesOf(span.attributes),
    status: error === undefined ? { code: 1 } : { code: 2, message: error },
  }
}

/** A string, because a number is not exact enough. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`
}

function attributesOf(attributes: Span['attributes']): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
}
