import { nearestName } from '#lib/core/nearest-name.ts'
import { runStatuses, type RunStatus } from '#lib/core/status.ts'
import { UsageError } from './command.ts'

/** Every word for a status that a list or a client may show. */
const words: Readonly<Record<string, RunStatus>> = {
  ...Object.fromEntries(runStatuses.map((status) => [status, status])),
  finished: 'success',
  succeeded: 'success',
  canceled: 'cancelled',
  stopped: 'cancelled',
  partially_succeeded: 'partial_success',
  partial: 'partial_success',
}

/** Help text of options that take a status. */
export const statusHelp = 'finished, failed, cancelled, partial success, running, queued or not started'

/**
 * Parses a status: the words of the lists, of the API and of its clients, in any case.
 * @param what names the option or the word in an error
 * @throws UsageError with the nearest word
 */
export function readStatus(what: string, text: string): RunStatus {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_')
  const status = Object.hasOwn(words, word) ? words[word] : undefined
  if (status !== undefined) return status
  const nearest = nearestName(word, Object.keys(words))?.replaceAll('_', ' ')
  const guess = nearest === undefined ? '' : `; did you mean ${nearest}?`
  throw new UsageError(`${what} must be ${statusHelp}, got ${JSON.stringify(text)}${guess}`)
}
