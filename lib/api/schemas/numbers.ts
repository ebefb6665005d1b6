import * as v from 'valibot'

/** A whole number in a query. Values out of range are accepted here; the verb clamps them. */
export const WholeNumber = v.pipe(
  v.string(),
  v.regex(/^-?\d{1,15}$/, 'must be an integer'),
  v.toNumber(),
  v.number(),
  v.integer(),
)

export const UnixSeconds = v.pipe(
  v.string(),
  v.regex(/^\d{1,11}$/, 'must be a Unix timestamp in seconds'),
  v.toNumber(),
  v.number(),
  v.integer(),
  v.description('Seconds since 1970'),
)

export const RunStatusFilter = v.pipe(
  v.string(),
  v.regex(/^[0-8]$/, 'must be an integer from 0 to 8'),
  v.toNumber(),
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(8),
  v.description('0 to 6. No run has 7 or 8, which clients of 1.30 also ask for'),
)

export const StepStatusCode = v.pipe(
  v.number('must be an integer from 0 to 5'),
  v.integer('must be an integer from 0 to 5'),
  v.minValue(0, 'must be an integer from 0 to 5'),
  v.maxValue(5, 'must be an integer from 0 to 5'),
  v.description('0 not started, 1 running, 2 failed, 3 cancelled, 4 success, 5 skipped'),
)
