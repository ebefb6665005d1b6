import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'

const ms = (description: string) =>
  v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description)))
const part = v.pipe(v.number(), v.minValue(0), v.maxValue(1))

export const DagStatsQuery = v.object({
  runs: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,2}$/, `must be a whole number from 1 to ${limits.historyPageMax}`),
      v.toNumber(),
      v.number(),
      v.integer(),
      v.maxValue(limits.historyPageMax, `must be at most ${limits.historyPageMax}`),
      v.description(`Newest runs to look at, ${limits.historyPageMax} when absent`),
    ),
  ),
})

/** Of the runs that have ended; fields are absent when there are none. */
export const DagStatsAnswer = v.object({
  runs: v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Finished runs among these')),
  successRate: v.exactOptional(
    v.pipe(part, v.description('Fraction of them that succeeded, at least partially')),
  ),
  p50Ms: ms('Median duration'),
  p95Ms: ms('95th percentile of the duration'),
  waitP50Ms: ms('Median waiting time until the start'),
  steps: v.record(
    v.string(),
    v.object({
      p50Ms: ms('Like that of runs'),
      p95Ms: ms('Like that of runs'),
      failRate: v.pipe(part, v.description('Fraction of its executions that failed')),
    }),
  ),
})
