import { ServiceError } from '#lib/core/errors.ts'
import { runStatuses, type RunStatus } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import { codeOf } from '#lib/db/errors.ts'
import { runConditions, shownStatusOf, soughtConditions, type RunFilter } from '#lib/runs/read/run-filter.ts'

/** Times are seconds since 1970. */
export interface HistogramRange {
  readonly from: number
  /** Exclusive; later than `from`. */
  readonly to: number
  /** At most this many; fewer where they would be shorter than a second. */
  readonly buckets: number
}

export interface HistogramBucket {
  /** Its beginning, in seconds since 1970. */
  readonly at: number
  /** By the status that callers see; without those that no run has. */
  readonly counts: Readonly<Partial<Record<RunStatus, number>>>
  /** Half of the runs that have ended took no longer, milliseconds; undefined when none has. */
  readonly p50Ms: number | undefined
}

interface Row {
  readonly bucket: number
  readonly counts: readonly number[]
  readonly p50Ms: number | null
}

/**
 * Counts all root runs that were created within a range, bucket by bucket, those without runs included. Reads every run
 * of the range.
 * @throws ServiceError `service_unavailable` when that takes longer than a statement may
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
      where parent_key is null ${runConditions(sql, filter)} ${soughtConditions(sql, filter) ?? sql``}
        and created_at >= to_timestamp(${from}) and created_at < to_timestamp(${to})
    ) as run
    group by bucket`.catch(sayNarrower)
  const found = new Map(rows.map((row) => [row.bucket, row]))
  return Array.from({ length: Math.ceil((to - from) / width) }, (_, index) => {
    const row = found.get(index)
    const known = runStatuses.flatMap((status, code) => {
      const count = row?.counts[code] ?? 0
      return count === 0 ? [] : [[status, count] as const]
    })
    return { at: from + index * width, counts: Object.fromEntries(known), p50Ms: row?.p50Ms ?? undefined }
  })
}

const isLate = (error: unknown): boolean => /^(57014|ETIMEDOUT)$/.test(codeOf(error) ?? '')

function sayNarrower(error: unknown): never {
  if (!isLate(error)) throw error
  const message = 'the runs could not be counted in time: narrow the range or the filters'
  throw new ServiceError('service_unavailable', message, { cause: error })
}
