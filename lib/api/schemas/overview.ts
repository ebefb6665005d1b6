import * as v from 'valibot'
import { WholeNumber } from './numbers.ts'
import { Histogram } from './run.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const ms = count

export const OverviewQuery = v.object({
  hours: v.exactOptional(
    v.pipe(
      WholeNumber,
      v.minValue(1, 'must be at least 1'),
      v.maxValue(720, 'must be at most 720'),
      v.description('Up to now; 24 when absent'),
    ),
  ),
})

const ended = (description: string) =>
  v.pipe(
    v.object({ succeeded: count, partlySucceeded: count, failed: count, cancelled: count }),
    v.description(description),
  )

const next = v.array(v.object({ fileName: v.string(), at: v.string(), zone: v.string() }))

export const Overview = v.object({
  from: v.string(),
  to: v.string(),
  running: count,
  queued: v.pipe(count, v.description('Root runs that wait in a queue or for a runner')),
  oldestWaitMs: v.exactOptional(v.pipe(ms, v.description('Absent: none waits'))),
  runners: v.pipe(
    v.object({ live: count, busy: count, slots: count, used: count }),
    v.description('Excludes draining runners'),
  ),
  ended: ended('Root runs created in the period, by how they ended'),
  before: ended('The same of the period before'),
  histogram: v.pipe(Histogram, v.description('Runs of the period by status, in 48 buckets')),
  failing: v.pipe(
    v.array(v.object({ name: v.string(), failed: count, newestRunId: v.string() })),
    v.description('DAGs with most failed runs in the period; at most 10'),
  ),
  longest: v.pipe(
    v.array(
      v.object({
        name: v.string(),
        dagRunId: v.string(),
        startedAt: v.string(),
        ms,
        p95Ms: v.exactOptional(
          v.pipe(ms, v.description('95th percentile of its newest 100 runs; absent if none has ended')),
        ),
      }),
    ),
    v.description('Root runs that run longest; at most 10'),
  ),
  next: v.pipe(next, v.description('Schedules that fire next; at most 10')),
  late: v.pipe(next, v.description('Schedules due for over a minute that no tick has served; at most 10')),
})
