import { createHash } from 'node:crypto'

/** Where a span stands: https://www.w3.org/TR/trace-context/ */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether whoever began the trace wants it recorded. */
  readonly sampled: boolean
}

/** Reads a `traceparent`; one that is none is as good as absent, as the standard says. */
export function readTraceparent(header: string | null | undefined): TraceContext | undefined {
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header?.trim() ?? '')
  if (parts === null) return undefined
  const [, version = '', traceId = '', spanId = '', flags = '', more] = parts
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function writeTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}

/** The id of a trace or a span that is derived from what it is of, so that every process finds the same one. */
export function derivedId(digits: 16 | 32, ...of: readonly (string | number)[]): string {
  return createHash('sha256').update(of.join('\n')).digest('hex').slice(0, digits)
}
