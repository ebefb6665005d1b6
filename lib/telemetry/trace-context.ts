import { createHash } from 'node:crypto'

/** The identity of a span: https://www.w3.org/TR/trace-context/ */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether the originator of the trace wants it recorded. */
  readonly sampled: boolean
}

/** Parses a `traceparent`; a malformed one counts as absent, as the standard requires. */
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

/** A trace or span id derived from the values that identify it, so that every process computes the same id. */
export function derivedId(digits: 16 | 32, ...of: readonly (string | number)[]): string {
  return createHash('sha256').update(of.join('\n')).digest('hex').slice(0, digits)
}
