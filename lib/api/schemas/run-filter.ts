import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { rootTriggers } from '../present/trigger-type.ts'
import { RunStatusesFilter, RunStatusFilter, UnixSeconds } from './numbers.ts'

export const RunDagName = v.exactOptional(v.pipe(v.string(), v.description('Name of a DAG')))

export const QueryWords = (description: string) =>
  v.exactOptional(
    v.pipe(v.string(), v.maxLength(256, 'must be at most 256 characters long'), v.description(description)),
  )

export const pageSize = (most: number, description: string) =>
  v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,3}$/, `must be a whole number from 1 to ${most}`),
      v.toNumber(),
      v.number(),
      v.integer(),
      v.maxValue(most, `must be at most ${most}`),
      v.description(description),
    ),
  )

export const Cursor = v.exactOptional(
  v.pipe(
    v.string(),
    v.maxLength(64, 'must be the nextCursor of an earlier answer'),
    v.description('`nextCursor` of the page before'),
  ),
)

/** Filters that lists and histograms of runs share. */
export const RunChoiceEntries = {
  status: v.exactOptional(RunStatusesFilter),
  tag: QueryWords('A tag of the stored DAG, in any case'),
  group: QueryWords('The group of the stored DAG'),
  trigger: v.exactOptional(
    v.pipe(
      v.picklist(rootTriggers, `must be ${rootTriggers.join(', ')}`),
      v.description('What created the run, as `triggerType` has it'),
    ),
  ),
  worker: QueryWords('The runner that executes the run now, as `workerId` has it'),
  q: QueryWords('Words, each a part of the name of the DAG or of the run id, in any case'),
  minMs: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,12}$/, 'must be a number of milliseconds'),
      v.toNumber(),
      v.number(),
      v.integer(),
      v.description('Minimum duration in milliseconds; for active runs, the duration so far'),
    ),
  ),
}

/** Filters that both lists of runs share. */
export const RunFilterEntries = {
  ...RunChoiceEntries,
  fromDate: v.exactOptional(UnixSeconds),
  toDate: v.exactOptional(UnixSeconds),
  limit: pageSize(limits.runsPerPageMax, 'Runs per page; default: all that match'),
  fields: v.exactOptional(
    v.pipe(
      v.picklist(['more'], 'must be more'),
      v.description('`more`: also the attempt and times in milliseconds'),
    ),
  ),
  cursor: Cursor,
  dagRunId: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(limits.runIdLengthMax, `must be at most ${limits.runIdLengthMax} characters long`),
      v.description(
        `Part of the run id. Searches the newest ${limits.partOfIdRunsMax} runs that match the other filters, as do ` +
          '`q` and `minMs`, and ' +
          `all runs whose id begins with it, unless there are more than ${limits.beginningOfIdRunsMax}`,
      ),
    ),
  ),
}

/** What the history of one DAG is asked for. */
export const HistoryQuery = v.object({
  status: v.exactOptional(RunStatusFilter),
  limit: pageSize(limits.historyPageMax, `Runs of a page; the newest ${limits.historyRunsMax} when absent`),
  cursor: Cursor,
  nodes: v.exactOptional(
    v.pipe(
      v.picklist(['none'], 'must be none'),
      v.description('`none`: each `nodes` is empty, for those who only want the grid'),
    ),
  ),
})

export const HistogramRangeEntries = {
  from: v.exactOptional(UnixSeconds),
  to: v.exactOptional(UnixSeconds),
  buckets: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, `must be a whole number from 1 to ${limits.histogramBucketsMax}`),
      v.toNumber(),
      v.number(),
      v.integer(),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(limits.histogramBucketsMax, `must be at most ${limits.histogramBucketsMax}`),
      v.description('Maximum number of buckets; default 96. No bucket is shorter than a second'),
    ),
  ),
}
