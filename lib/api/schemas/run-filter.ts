import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { RunStatusFilter, UnixSeconds } from './numbers.ts'

/** The filters that both lists of runs share. */
export const RunFilterEntries = {
  status: v.exactOptional(RunStatusFilter),
  fromDate: v.exactOptional(UnixSeconds),
  toDate: v.exactOptional(UnixSeconds),
  dagRunId: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(limits.runIdLengthMax, `must be at most ${limits.runIdLengthMax} characters long`),
      v.description('Part of the run id'),
    ),
  ),
}
