import type { Schemas } from '#lib/client/api-types.gen.ts'
import { limits } from '#lib/core/limits.ts'
import type { Service } from './service.ts'

/** Identifies a log: that of a run as a whole, or the output of one of its steps. */
export interface LogSource {
  /** The root run. */
  readonly name: string
  readonly dagRunId: string
  /** Id of a descendant run; undefined for the root run. */
  readonly child?: string | undefined
  /** Undefined for the events of the run. */
  readonly step?: string | undefined
  readonly stream: 'stdout' | 'stderr'
  /** Attempt of the run; undefined for the latest that wrote this log. */
  readonly attempt?: number | undefined
}

interface Window {
  readonly offset?: number
  readonly limit?: number
  readonly tail?: number
}

/** Consecutive lines of a log, and the number of lines skipped before them. */
export interface LogPart {
  readonly lines: readonly string[]
  readonly left: number
}

/**
 * Reads a log in chunks.
 * @param last number of lines to read from the end; default: all
 */
export async function* readLog(service: Service, source: LogSource, last?: number): AsyncGenerator<LogPart> {
  for (let offset = 1; ;) {
    const window = last === undefined ? { offset, limit: limits.logLinesMax } : { tail: last }
    const { content, lineCount, totalLines, hasMore } = await readWindow(service, source, window)
    if (lineCount > 0) {
      yield { lines: content.split('\n'), left: last === undefined ? 0 : totalLines - lineCount }
    }
    if (last !== undefined || !hasMore || lineCount === 0) return
    offset += lineCount
  }
}

function readWindow(
  service: Service,
  { name, dagRunId, child, step, stream, attempt }: LogSource,
  given: Window,
): Promise<Schemas['LogChunk']> {
  const run = { name, dagRunId }
  const window = { ...given, ...(attempt !== undefined && { attempt }) }
  const query = { ...window, stream }
  if (child !== undefined) {
    const params = { ...run, childDAGRunId: child }
    if (step === undefined) return service.ask('getChildRunLog', { params, query: window })
    return service.ask('getChildStepLog', { params: { ...params, stepName: step }, query })
  }
  if (step === undefined) return service.ask('getDagRunLog', { params: run, query: window })
  return service.ask('getStepLog', { params: { ...run, stepName: step }, query })
}
