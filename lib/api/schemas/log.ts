import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { WholeNumber } from './numbers.ts'

const lines = (what: string) => v.exactOptional(v.pipe(WholeNumber, v.description(what)))

const attemptEntry = {
  attempt: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1'),
      v.toNumber(),
      v.number(),
      v.integer(),
      v.description('Attempt of the run; default: the latest, or for logs the latest that wrote one'),
    ),
  ),
}

const windowEntries = {
  tail: lines('Lines from the end; overrides the other parameters'),
  head: lines('Lines from the start'),
  offset: lines('First line, counted from 1'),
  ...attemptEntry,
  lineBytes: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,5}$/, 'must be a whole number from 1 to 999999'),
      v.toNumber(),
      v.number(),
      v.integer(),
      v.description(
        'Bytes after which each line is cut; `cut` then lists the cut lines and how much is missing',
      ),
    ),
  ),
  limit: lines(`Maximum number of lines; default ${limits.logLinesDefault}, at most ${limits.logLinesMax}`),
}

export const LogQuery = v.object(windowEntries)

const streamEntry = {
  stream: v.optional(v.picklist(['stdout', 'stderr'], 'must be stdout or stderr'), 'stdout'),
}

export const AttemptQuery = v.object(attemptEntry)
export const RawLogQuery = v.object({ ...streamEntry, ...attemptEntry })

const positionEntries = {
  ...attemptEntry,
  position: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,9}-\d{1,15}$/, 'must be the position of an answer, or the id of an event'),
      v.description('Where to begin: the `position` of an answer. `Last-Event-ID` overrides it'),
    ),
  ),
  tail: lines('Begin with this many of the existing lines'),
}
export const PositionQuery = v.object(positionEntries)

export const StreamQuery = v.object({ ...streamEntry, ...positionEntries })

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
  firstLine: v.pipe(count, v.description('Number of the first line of `content`; 0 without lines')),
  totalBytes: count,
  position: v.pipe(
    v.string(),
    v.description('Position after `content`, where `…/log/stream?position=` continues'),
  ),
  isOver: v.pipe(v.boolean(), v.description('Nothing more will be written')),
  cut: v.exactOptional(
    v.pipe(
      v.array(v.object({ line: count, bytes: v.pipe(count, v.description('Bytes that are missing')) })),
      v.description('Lines that `lineBytes` cut'),
    ),
  ),
})

export const EventText = v.pipe(
  v.string(),
  v.description(
    'Server-sent events; their data is JSON. A client that reconnects with `Last-Event-ID` continues there. ' +
      'If the caller loses the rights it began with, the stream ends with the event `revoked`',
  ),
)

export const LogFile = v.pipe(v.string(), v.description('The bytes of the log, as they were written'))

const searchEntries = {
  ...attemptEntry,
  q: v.pipe(
    v.string(),
    v.nonEmpty('must not be empty'),
    v.maxLength(limits.searchTextLengthMax, `must be at most ${limits.searchTextLengthMax} characters long`),
  ),
  regex: v.exactOptional(
    v.pipe(v.picklist(['true', 'false'], 'must be true or false'), v.description('`q` is an RE2 expression')),
  ),
  case: v.exactOptional(
    v.pipe(v.picklist(['true', 'false'], 'must be true or false'), v.description('Capitals count')),
  ),
  from: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,11}$/, 'must be the number of a line'),
      v.toNumber(),
      v.number(),
      v.integer(),
      v.description('First line to search: `next` of the previous answer'),
    ),
  ),
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,3}$/, `must be a whole number from 1 to ${limits.searchResultsMax}`),
      v.toNumber(),
      v.number(),
      v.integer(),
      v.maxValue(limits.searchResultsMax, `must be at most ${limits.searchResultsMax}`),
      v.description('Maximum number of matching lines'),
    ),
    '500',
  ),
}

export const SearchRunLogQuery = v.object(searchEntries)
export const SearchLogQuery = v.object({ ...streamEntry, ...searchEntries })

const mergedLineCount = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,4}$/, `must be a whole number from 1 to ${limits.mergedLinesMax}`),
  v.toNumber(),
  v.number(),
  v.integer(),
  v.maxValue(limits.mergedLinesMax, `must be at most ${limits.mergedLinesMax}`),
)

export const MergedLogQuery = v.object({
  ...attemptEntry,
  step: v.exactOptional(
    v.pipe(v.string(), v.maxLength(256), v.description('Only what this step wrote, to both streams')),
  ),
  stream: v.exactOptional(v.picklist(['stdout', 'stderr'], 'must be stdout or stderr')),
  from: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,15}-\d{1,6}-\d{1,15}-\d{1,12}$/, 'must be `next` of an answer'),
      v.description('`next` of the previous answer'),
    ),
  ),
  tail: v.exactOptional(
    v.pipe(mergedLineCount, v.description('Begin with this many lines from the end; `from` overrides it')),
  ),
  limit: v.optional(v.pipe(mergedLineCount, v.description('Maximum number of lines')), '1000'),
})

export const MergedLines = v.pipe(
  v.string(),
  v.description(
    'JSON lines: `{at, step, stream, line, text}` in the order in which they were stored, to about a second; `at` ' +
      'in milliseconds since 1970, `line` within the log of the step, `missing` bytes of a long line. Last ' +
      '`{done, next}`: ' +
      'continue with `from=next`. For an active run, the last three seconds are held back',
  ),
)

export const LogMatches = v.pipe(
  v.string(),
  v.description(
    'JSON lines: `{line, text, at}` for each matching line, with the part around its first match and the start and ' +
      'end of that match in it; last `{done, matches, scannedLines, next}`. Unless `done`, continue with `from=next`',
  ),
)

/** Components of the OpenAPI document: each use refers to them by these names. */
export const components = { LogChunk }
