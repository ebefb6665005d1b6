import { pino, stdSerializers, type DestinationStream } from 'pino'
import type { EventName } from './events.ts'

/** What a line holds beside its message: ids, counts, durations in milliseconds; `error` for a thrown thing. */
export type EventFields = { readonly event: EventName } & Readonly<Record<string, unknown>>

/** The service's own log. Values of params, outputs and requests never go here. */
export interface Log {
  debug(fields: EventFields, message: string): void
  info(fields: EventFields, message: string): void
  warn(fields: EventFields, message: string): void
  error(fields: EventFields, message: string): void
}

/**
 * Makes a log of JSON lines, written at once, so that none is lost when the process ends.
 * @param options.part which part of the service speaks: server, api, tick, runner
 * @param destination standard output, unless told otherwise
 */
export function createLog(
  options: { readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'; readonly part: string },
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
): Log {
  return pino(
    {
      level: options.level,
      base: { part: options.part, pid: process.pid },
      messageKey: 'message',
      errorKey: 'error',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      serializers: { error: stdSerializers.err },
    },
    destination,
  )
}
