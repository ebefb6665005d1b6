import type { Database } from '#lib/db/client.ts'
import { shownStatusOf } from '#lib/runs/read/run-filter.ts'

/** Numbers for the tabs and filters of a list of DAGs. */
export interface DagCounts {
  readonly total: number
  readonly suspended: number
  readonly withErrors: number
  /** Number of DAGs by the status of their newest root run, as shown to callers; `never`: no run. */
  readonly byState: Record<string, number>
  readonly tags: { readonly name: string; readonly count: number }[]
  readonly groups: { readonly name: string; readonly count: number }[]
}

/** Counts all DAGs in one statement: one look-up in `dag_run_dag_idx` per DAG, whatever the number of runs. */
export async function countDags({ sql }: Database): Promise<DagCounts> {
  const [counts] = await sql<[DagCounts]>`
    with states as materialized (
      select coalesce(newest.state, 'never') as state, count(*)::int as count
      from millrace.dag
      left join lateral (
        select ${shownStatusOf(sql)} as state
        from millrace.dag_run
        where dag_name = dag.dag_name and parent_key is null
        order by created_at desc, run_key desc
        limit 1
      ) as newest on true
      group by 1
    )
    select count(*)::int as total,
      (count(*) filter (where suspended_at is not null))::int as suspended,
      (count(*) filter (where cardinality(problems) > 0))::int as "withErrors",
      (select coalesce(json_object_agg(state, count order by state), '{}') from states) as "byState",
      (
        select coalesce(json_agg(json_build_object('name', tag, 'count', count) order by tag), '[]')
        from (select tag, count(*)::int from millrace.dag, unnest(tags) as tag group by tag) as tags
      ) as tags,
      (
        select coalesce(json_agg(json_build_object('name', group_name, 'count', count) order by group_name), '[]')
        from (
          select group_name, count(*)::int from millrace.dag where group_name <> '' group by group_name
        ) as groups
      ) as groups
    from millrace.dag`
  return counts
}
