import { pino, stdSerializers, type DestinationStream } from 'pino'
import type { EventName } from './events.ts'
import { standardOutput, type LineWriter } from './line-writer.ts'
import { forPeople } from './terminal-lines.ts'

/** Fields of a line besides its message: ids, counts, durations in milliseconds; `error` is a thrown value. */
export type EventFields = { readonly event: EventName } & Readonly<Record<string, unknown>>

/** The service log. It never contains values of params, outputs or requests. */
export interface Log {
  debug(fields: EventFields, message: string): void
  info(fields: EventFields, message: string): void
  warn(fields: EventFields, message: string): void
  error(fields: EventFields, message: string): void
}

/**
 * Creates a log of JSON lines. Each is written at once; when nobody reads them, they are kept and then dropped, and a
 * line says how many were.
 * @param options.part the part of the service that logs: server, api, tick, runner
 * @param destination default: standard output
 */
export function createLog(
  options: {
    readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
    readonly part: string
    /** Lines for people instead of JSON. */
    readonly people?: { readonly isColoured: boolean } | undefined
  },
  destination: DestinationStream & Partial<Pick<LineWriter, 'onReturn'>> = standardOutput,
): Log {
  const log = pino(
    {
      level: options.level,
      base: { part: options.part, pid: process.pid },
      messageKey: 'message',
      errorKey: 'error',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      serializers: { error: stdSerializers.err },
    },
    options.people === undefined ? destination : forPeople(destination, options.people),
  )
  destination.onReturn?.((lines) => {
    const level = log.isLevelEnabled('warn') ? 'warn' : 'error'
    log[level](
      { event: 'log.dropped', lines } satisfies EventFields,
      'nobody read the log: lines were dropped',
    )
  })
  return log
}
