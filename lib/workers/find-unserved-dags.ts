import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

export interface UnservedDags {
  readonly dags: readonly {
    readonly fileName: string
    readonly dagName: string
    readonly labels: Readonly<Record<string, string>>
  }[]
  readonly total: number
}

/**
 * Stored DAGs that no live, claiming runner may run because of their labels; without any such runner, all DAGs. By file
 * name, the first {@link limits.unservedDagsMax}.
 */
export async function findUnservedDags({ sql }: Database): Promise<UnservedDags> {
  const rows = await sql<
    { fileName: string; dagName: string; labels: Readonly<Record<string, string>>; total: number }[]
  >`
    select d.file_name as "fileName", d.dag_name as "dagName", coalesce(d.run_settings -> 'labels', '{}') as labels,
      count(*) over ()::int as total
    from millrace.dag d
    where not exists (
      select from millrace.worker w
      where w.labels @> coalesce(d.run_settings -> 'labels', '{}') and w.draining_at is null
        and w.heartbeat_at > clock_timestamp() - ${limits.runnerGoneMs} * interval '1 ms'
    )
    order by d.file_name
    limit ${limits.unservedDagsMax}::int`
  return {
    dags: rows.map(({ fileName, dagName, labels }) => ({ fileName, dagName, labels })),
    total: rows[0]?.total ?? 0,
  }
}
