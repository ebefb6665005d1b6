import { readRunStatus, runStatusHelp, type RunStatus } from '#lib/core/status.ts'
import { UsageError } from './command.ts'

/**
 * Parses a status, as written in lists, the API, its clients and the service log, ignoring case.
 * @param what name of the option or word for the error
 * @throws UsageError with the nearest status
 */
export function readStatus(what: string, text: string): RunStatus {
  const read = readRunStatus(text)
  if ('status' in read) return read.status
  const guess = read.nearest === undefined ? '' : `; did you mean ${read.nearest}?`
  throw new UsageError(`${what} must be ${runStatusHelp}, got ${JSON.stringify(text)}${guess}`)
}
