import { pino, stdSerializers, type DestinationStream } from 'pino'
import type { EventName } from './events.ts'
import { standardOutput, type LineWriter } from './line-writer.ts'
import { humanReadable } from './terminal-lines.ts'

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
 * Creates a log of JSON lines. Each is written at once. If the reader is slow, lines are buffered and then dropped; a
 * later line says how many.
 * @param options.part the part of the service that logs: server, api, tick, runner
 * @param destination default: standard output
 */
export function createLog(
  options: {
    readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
    readonly part: string
    /** Set to write human-readable lines instead of JSON. */
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
    options.people === undefined ? destination : humanReadable(destination, options.people),
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
