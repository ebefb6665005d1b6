import type { InferOutput } from 'valibot'
import type { Database } from '#lib/db/client.ts'
import { readOverview } from '#lib/runs/counts/overview.ts'
import { runHistogram, type HistogramBucket } from '#lib/runs/counts/run-histogram.ts'
import { nextEntries, type NextEntry } from '#lib/schedules/read/next-entries.ts'
import { presentBuckets } from '../present/buckets.ts'
import { timestamp } from '../present/timestamp.ts'
import type { Overview } from '../schemas/overview.ts'

type Answer = InferOutput<typeof Overview>

export interface OverviewReader {
  /** The numbers of the last hours. One answer serves all who ask within two seconds. */
  readonly read: (hours: number) => Promise<Answer>
}

const keptMs = 2_000
const lateMs = 60_000
const listedMax = 10
const buckets = 48

interface Deps {
  readonly db: Database
  readonly now: () => number
  readonly defaults: () => Promise<{ readonly zone: string }>
}

export function createOverview(deps: Deps): OverviewReader {
  const kept = new Map<number, { readonly atMs: number; readonly answer: Promise<Answer> }>()
  return {
    read: async (hours) => {
      const atMs = deps.now()
      for (const [key, one] of kept) if (atMs - one.atMs >= keptMs) kept.delete(key)
      const known = kept.get(hours)
      if (known !== undefined) return await known.answer
      const answer = readNow(deps, hours)
      kept.set(hours, { atMs, answer })
      // A failure reaches those who wait for it, and is not cached.
      answer.catch(() => kept.delete(hours))
      return await answer
    },
  }
}

async function readNow({ db, now, defaults }: Deps, hours: number): Promise<Answer> {
  const to = Math.ceil(now() / 1000)
  const from = to - hours * 3_600
  // Both periods in one pass over the runs.
  const all = await runHistogram(db, {}, { from: from - hours * 3_600, to, buckets: 2 * buckets })
  const { zone } = await defaults()
  const { next, late } = await nextEntries(db, { lateMs, limit: listedMax, zone })
  const { oldestWaitMs, failing, longest, ...counts } = await readOverview(db, from * 1000)
  const present = all.slice(buckets)
  return {
    from: timestamp(from * 1000),
    to: timestamp(to * 1000),
    ...counts,
    ...(oldestWaitMs !== null && { oldestWaitMs }),
    ended: endedIn(present),
    before: endedIn(all.slice(0, buckets)),
    histogram: presentBuckets(present),
    failing: [...failing],
    longest: longest.map(({ runId, startedMs, ms, p95Ms, name }) => ({
      name,
      dagRunId: runId,
      startedAt: timestamp(startedMs),
      ms: Math.max(0, ms),
      ...(p95Ms !== null && { p95Ms: Math.max(0, p95Ms) }),
    })),
    next: next.map(presentNext),
    late: late.map(presentNext),
  }
}

const presentNext = ({ fileName, atMs, zone }: NextEntry) => ({ fileName, at: timestamp(atMs), zone })

function endedIn(found: readonly HistogramBucket[]): Answer['ended'] {
  const of = (status: keyof HistogramBucket['counts']): number =>
    found.reduce((sum, { counts }) => sum + (counts[status] ?? 0), 0)
  return {
    succeeded: of('success'),
    partlySucceeded: of('partial_success'),
    failed: of('failed'),
    cancelled: of('cancelled'),
  }
}
