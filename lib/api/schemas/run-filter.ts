import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { RunStatusFilter, UnixSeconds } from './numbers.ts'

/** Filters that both lists of runs share. */
export const RunFilterEntries = {
  status: v.exactOptional(RunStatusFilter),
  fromDate: v.exactOptional(UnixSeconds),
  toDate: v.exactOptional(UnixSeconds),
  limit: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,3}$/, `must be a whole number from 1 to ${limits.runsPerPageMax}`),
      v.toNumber(),
      v.number(),
      v.integer(),
      v.maxValue(limits.runsPerPageMax, `must be at most ${limits.runsPerPageMax}`),
      v.description('Runs of a page; all that fit when absent'),
    ),
  ),
  fields: v.exactOptional(
    v.pipe(
      v.picklist(['more'], 'must be more'),
      v.description('`more`: also the attempt and times in milliseconds'),
    ),
  ),
  cursor: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(64, 'must be the nextCursor of an earlier answer'),
      v.description('`nextCursor` of the page before'),
    ),
  ),
  dagRunId: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(limits.runIdLengthMax, `must be at most ${limits.runIdLengthMax} characters long`),
      v.description(
        `Part of the run id. Searches the newest ${limits.partOfIdRunsMax} runs that match the other filters, and ` +
          `all runs whose id begins with it, unless there are more than ${limits.beginningOfIdRunsMax}`,
      ),
    ),
  ),
}
