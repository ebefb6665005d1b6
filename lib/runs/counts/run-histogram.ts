import { ServiceError } from '#lib/core/errors.ts'
import { runStatuses, type RunStatus } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import { codeOf } from '#lib/db/errors.ts'
import {
  runConditions,
  shownStatusOf,
  unindexedConditions,
  type RunFilter,
} from '#lib/runs/read/run-filter.ts'

/** Times are seconds since 1970. */
export interface HistogramRange {
  readonly from: number
  /** Exclusive; later than `from`. */
  readonly to: number
  /** Maximum number; fewer if they would be shorter than a second. */
  readonly buckets: number
}

export interface HistogramBucket {
  /** Its start, seconds since 1970. */
  readonly at: number
  /** Number of runs by the status that callers see; statuses without runs are absent. */
  readonly counts: Readonly<Partial<Record<RunStatus, number>>>
  /** Median duration of the ended runs, milliseconds; undefined: none has ended. */
  readonly p50Ms: number | undefined
}

interface Row {
  readonly bucket: number
  readonly counts: readonly number[]
  readonly p50Ms: number | null
}

/**
 * Counts the root runs created within a range, by bucket; includes empty buckets. Reads every run of the range.
 * @throws ServiceError `service_unavailable` when it exceeds the statement timeout
 */
export async function runHistogram(
  { sql }: Database,
  filter: RunFilter,
  { from, to, buckets }: HistogramRange,
): Promise<HistogramBucket[]> {
  const width = Math.max(1, Math.ceil((to - from) / buckets))
  const counts = runStatuses
    .map((status) => sql`count(*) filter (where state = ${status})`)
    .reduce((all, one) => sql`${all}, ${one}`)
  const rows = await sql<Row[]>`
    select bucket, json_build_array(${counts}) as counts,
      percentile_disc(0.5) within group (order by ms) as "p50Ms"
    from (
      select floor((date_part('epoch', created_at) - ${from}::float8) / ${width}::float8)::int as bucket,
        ${shownStatusOf(sql)} as state,
        floor(date_part('epoch', finished_at - started_at) * 1000 + 0.5) as ms
      from millrace.dag_run
      where parent_key is null ${runConditions(sql, filter)} ${unindexedConditions(sql, filter) ?? sql``}
        and created_at >= to_timestamp(${from}) and created_at < to_timestamp(${to})
    ) as run
    group by bucket`.catch(explainTimeout)
  const found = new Map(rows.map((row) => [row.bucket, row]))
  return Array.from({ length: Math.ceil((to - from) / width) }, (_, index) => {
    const row = found.get(index)
    const nonZero = runStatuses.flatMap((status, code) => {
      const count = row?.counts[code] ?? 0
      return count === 0 ? [] : [[status, count] as const]
    })
    return { at: from + index * width, counts: Object.fromEntries(nonZero), p50Ms: row?.p50Ms ?? undefined }
  })
}

const isTimeout = (error: unknown): boolean => /^(57014|ETIMEDOUT)$/.test(codeOf(error) ?? '')

function explainTimeout(error: unknown): never {
  if (!isTimeout(error)) throw error
  const message = 'the runs could not be counted in time: narrow the range or the filters'
  throw new ServiceError('service_unavailable', message, { cause: error })
}
