import { readRunStatus, runStatusHelp, type RunStatus } from '#lib/core/status.ts'
import { UsageError } from './command.ts'

/**
 * Parses a status: the words of the lists, of the API, of its clients and of the service log, in any case.
 * @param what names the option or the word in an error
 * @throws UsageError with the nearest word
 */
export function readStatus(what: string, text: string): RunStatus {
  const read = readRunStatus(text)
  if ('status' in read) return read.status
  const guess = read.nearest === undefined ? '' : `; did you mean ${read.nearest}?`
  throw new UsageError(`${what} must be ${runStatusHelp}, got ${JSON.stringify(text)}${guess}`)
}
