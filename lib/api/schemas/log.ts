import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { WholeNumber } from './numbers.ts'

const lines = (what: string) => v.exactOptional(v.pipe(WholeNumber, v.description(what)))

const windowEntries = {
  tail: lines('Lines from the end; goes before the others'),
  head: lines('Lines from the start'),
  offset: lines('First line, counted from 1'),
  attempt: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1'),
      v.toNumber(),
      v.number(),
      v.integer(),
      v.description('Attempt of the run; the latest that wrote this log when absent'),
    ),
  ),
  limit: lines(`Lines at most; ${limits.logLinesDefault} when absent, never more than ${limits.logLinesMax}`),
}

export const LogQuery = v.object(windowEntries)

const streamEntry = {
  stream: v.optional(v.picklist(['stdout', 'stderr'], 'must be stdout or stderr'), 'stdout'),
}

export const StreamQuery = v.object(streamEntry)

export const StepLogQuery = v.object({
  ...windowEntries,
  ...streamEntry,
})

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const LogChunk = v.object({
  content: v.string(),
  lineCount: count,
  totalLines: count,
  hasMore: v.boolean(),
  isEstimate: v.boolean(),
})

export const EventText = v.pipe(
  v.string(),
  v.description(
    'Server-sent events; their data is JSON. A client that comes back with `Last-Event-ID` goes on there. ' +
      'A stream whose caller loses the rights that it began with ends with the event `revoked`',
  ),
)
