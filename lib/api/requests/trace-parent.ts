import { readTraceparent, writeTraceparent } from '#lib/telemetry/trace-context.ts'

/** The `traceparent` of a call; the run that it starts joins that trace. A malformed one is ignored. */
export function traceParent(headers: Headers): { readonly traceparent?: string } {
  const context = readTraceparent(headers.get('traceparent'))
  return context === undefined ? {} : { traceparent: writeTraceparent(context) }
}
