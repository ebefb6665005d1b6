import type { InferOutput } from 'valibot'
import type { HistogramBucket } from '#lib/runs/counts/run-histogram.ts'
import type { Histogram } from '../schemas/run.ts'
import { timestamp } from './timestamp.ts'

/** The buckets of a histogram as the API writes them. */
export function presentBuckets(buckets: readonly HistogramBucket[]): InferOutput<typeof Histogram> {
  return buckets.map(({ at, counts, p50Ms }) => ({
    at: timestamp(at * 1000),
    counts,
    ...(p50Ms !== undefined && { p50Ms: Math.max(0, p50Ms) }),
  }))
}
