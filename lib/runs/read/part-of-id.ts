import { limits } from '#lib/core/limits.ts'
import type { Sql } from '#lib/db/statement.ts'

/**
 * The condition that the id of a root run contains a text. Searches only the newest runs that match the other filters,
 * and all runs whose id starts with the text unless there are too many. So the cost of an unknown id does not grow with
 * the history.
 * @param part compared literally, case-sensitive
 * @param filters conditions on `dag_run`, each preceded by `and`
 * @param after the condition of a cursor, in the same form
 * @param limit maximum number of runs for the caller
 */
export function partOfId(
  sql: Sql,
  part: string,
  { filters, after, limit }: { readonly filters: unknown; readonly after: unknown; readonly limit: number },
) {
  // Ids consist of letters, digits, - and _, which all sort before ~. The `order by` makes the planner use the index.
  return sql`and run_key in (
    with newest as materialized (
      select created_at, run_key from millrace.dag_run
      where parent_key is null ${filters}
      order by created_at desc, run_key desc
      offset ${limits.partOfIdRunsMax - 1} limit 1
    ),
    prefixed as materialized (
      select run_key from millrace.dag_run
      where parent_key is null and run_id ~>=~ ${part} and run_id ~<~ ${`${part}~`}
      order by run_id using ~<~
      limit ${limits.beginningOfIdRunsMax + 1}
    )
    (
      select run_key from millrace.dag_run
      where parent_key is null ${filters} ${after} and position(${part} in run_id) > 0
        and (created_at, run_key) >= (
          coalesce((select created_at from newest), '-infinity'), coalesce((select run_key from newest), 0)
        )
      order by created_at desc, run_key desc
      limit ${limit}
    )
    union all
    select run_key from prefixed
    where (select count(*) from prefixed) <= ${limits.beginningOfIdRunsMax}
  )`
}
